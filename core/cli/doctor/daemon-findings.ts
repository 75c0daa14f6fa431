import { z } from 'zod';
import { changeNotice, howToRestart, versionNotice } from '../../daemon/client/agreement';
import { findDaemon, type FoundDaemon } from '../../daemon/client/find-daemon';
import { projectInfoSchema, type ProjectRef } from '../../daemon/control/protocol';
import { type ProviderReport, providerReportSchema } from '../../daemon/project/describe-provider';
import { hintOf, messageOf } from '../../errors';
import type { Paths } from '../../paths';
import { countOf } from '../terminal/format';
import { type Finding, finding } from './finding';

/** How the daemon is, and how it sees the providers: it may have another PATH, other keys, another configuration. */
export interface DaemonView {
  findings: Finding[];
  providers: ProviderReport[];
  /** What makes it see what this command sees. */
  restart: string;
}

const LIMIT_MS = 12_000;

const answerSchema = z.object({ providers: z.array(providerReportSchema), project: projectInfoSchema });

/** Asks the daemon that runs, if one does; none is started. */
export async function lookAtDaemon(paths: Paths, ref: ProjectRef): Promise<DaemonView> {
  let daemon: FoundDaemon | undefined;
  try {
    daemon = (await findDaemon(paths)).daemon;
    if (!daemon) return nothing(finding('daemon', 'note', 'no daemon runs; commands that need one start it'));
    const { info, client } = daemon;
    const gateways = info.listeners.filter(({ serves }) => serves === 'gateway').length;
    const message = `pid ${info.pid}, version ${info.version}, ${countOf(gateways, 'gateway')}`;
    const running = finding('daemon', 'ok', message);
    const version = versionNotice(info);
    const query = { ...ref, check: true };
    const options = { query, timeoutMs: LIMIT_MS };
    const { providers, project } = await client.call('GET', '/v1/providers', answerSchema, options);
    const changes = changeNotice(info, project.fingerprint, process.env);
    const restart = howToRestart(info);
    return {
      providers,
      restart,
      findings: [
        running,
        ...(version === undefined ? [] : [finding('daemon_version', 'warning', version)]),
        ...(changes === undefined ? [] : [finding('daemon_changes', 'warning', changes)]),
      ],
    };
  } catch (error) {
    const hint = hintOf(error) ?? (daemon ? howToRestart(daemon.info) : 'drivebay daemon restart');
    return nothing(finding('daemon_no_answer', 'broken', messageOf(error).split('\n')[0] ?? '', hint));
  }
}

function nothing(first: Finding): DaemonView {
  return { findings: [first], providers: [], restart: '' };
}
