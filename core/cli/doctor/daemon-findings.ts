import { changeNotices, howToRestart, versionNotice } from '../../daemon/client/agreement';
import type { FoundDaemon } from '../../daemon/client/find-daemon';
import { explainUnserved } from '../../daemon/listen/unserved-models';
import type { ProjectRef } from '../../daemon/control/protocol';
import type { ProviderReport } from '../../devices/describe-device';
import { hintOf, messageOf } from '../../errors';
import { bringKeys } from '../daemon/project-at-daemon';
import { findDaemonHere } from '../daemon/running-daemon';
import { countOf } from '../terminal/format';
import { type DoctorFinding, finding } from './finding';

/** The state of the daemon, and its view of the providers: it may have another PATH, other keys, another configuration. */
export interface DaemonView {
  findings: DoctorFinding[];
  providers: ProviderReport[];
  /** The command that gives the daemon the same view as this command. */
  restart: string;
  /** The variables that it has, such as those with keys. */
  variables: string[];
  /** What plug-ins threw there outside of any call, by the folder of their code. */
  failures?: Record<string, string>;
}

const LIMIT_MS = 12_000;

/** Asks the daemon, if one runs. Starts none. */
export async function lookAtDaemon(ref: ProjectRef): Promise<DaemonView> {
  let daemon: FoundDaemon | undefined;
  try {
    daemon = await findDaemonHere();
    if (!daemon) return withoutView(finding('daemon', 'note', 'no daemon runs; commands that need one start it'));
    const { info, client } = daemon;
    const gateways = info.listeners.filter(({ serves }) => serves === 'gateway').length;
    const message = `pid ${info.pid}, version ${info.version}, ${countOf(gateways, 'gateway')}`;
    const findings = [finding('daemon', 'ok', message)];
    const version = versionNotice(info);
    if (version !== undefined) findings.push(finding('daemon_version', 'warning', version));
    // Like every command that asks the daemon: otherwise a key would be missing here that no command misses.
    const { fingerprint, root } = await bringKeys(daemon, ref);
    const options = { query: { ...ref, check: true }, timeoutMs: LIMIT_MS };
    const { providers } = await client.call<Pick<DaemonView, 'providers'>>('GET', '/v1/providers', options);
    const changes = await changeNotices(info, fingerprint, process.env);
    findings.push(...changes.map((change) => finding('daemon_changes', 'warning', change)));
    const unserved = info.unserved.filter(({ project }) => project === root);
    findings.push(
      ...unserved.map(({ model, advice }) => finding('unserved_model', 'warning', explainUnserved(model), advice)),
    );
    const variables = Object.entries(fingerprint.variables).flatMap(([name, hash]) => (hash === null ? [] : name));
    return { providers, restart: howToRestart(info), findings, variables, failures: info.failures };
  } catch (error) {
    const hint = hintOf(error) ?? (daemon ? howToRestart(daemon.info) : 'drivebay daemon restart');
    return withoutView(finding('daemon_no_answer', 'broken', messageOf(error).split('\n')[0] ?? '', hint));
  }
}

function withoutView(first: DoctorFinding): DaemonView {
  return { findings: [first], providers: [], restart: '', variables: [] };
}
