import { shownName } from '../../contract/secrets';
import { codeOf, UsageError } from '../../errors';
import type { ProcessSummary } from '../../record/process-summary';
import type { ProcessView } from '../../record/process-view';
import type { McpHost } from './mcp-host';

type Client = Awaited<ReturnType<McpHost['open']>>['client'];

/** The agent processes that the client may see, the earliest first. */
export async function seenProcesses(host: McpHost, all: boolean): Promise<ProcessSummary[]> {
  const { client } = await host.open();
  const { processes } = await client.get<{ processes: ProcessSummary[] }>('/v1/processes', { all });
  return processes.filter((process) => host.sees(process));
}

/** A process that the client may see. Rejects for any other as for one that is not there. */
export async function seenProcess(host: McpHost, client: Client, pid: string | number) {
  if (!/^[\w-]{1,64}$/.test(String(pid)))
    throw new UsageError('a process is named by its pid or its uuid', 'the tool `processes` lists them');
  const view = await client.get<ProcessView>(`/v1/processes/${pid}`).catch((error: unknown) => {
    if (codeOf(error) !== 'no_process') throw error;
  });
  if (view && host.sees(view)) return view;
  throw new UsageError(
    `there is no process ${shownName(String(pid))}`,
    'the tool `processes` lists those that this client may see',
  );
}
