import type { Logger } from '../../contract/api';
import { recordInto } from '../../record/exchange-file';
import type { Operations } from '../control/operations';
import type { ListenRequest } from '../control/protocol';
import type { OpenedProject } from '../project/opened-project';
import type { ListenerOptions } from './listener';

/** Opens the project of a listener, and makes what the listener needs. */
export async function prepareListener(
  daemon: Pick<Operations, 'projects' | 'openMetrics' | 'parts'>,
  { project, allowHosts, allowOrigins, apiKeyHash, apiKeyEnv, ...asked }: ListenRequest,
  log: Logger,
): Promise<{ opened: OpenedProject; given: ListenerOptions }> {
  if (apiKeyEnv) daemon.projects.hide(apiKeyEnv);
  const opened = await daemon.projects.open(project);
  const { port, upstreamStatus, mcp } = asked;
  const { workingDirectory } = project;
  const access = { allowHosts, allowOrigins, keyDigest: apiKeyHash ? Buffer.from(apiKeyHash, 'hex') : undefined };
  const metrics = asked.metrics ? await daemon.openMetrics() : undefined;
  const record = asked.record && recordInto(asked.record, daemon.parts.redactor, log);
  return { opened, given: { port, workingDirectory, access, apiKeyEnv, upstreamStatus, metrics, record, mcp, log } };
}
