import type { Tracing, WorkSpan } from '../contract/work-span';
import type { ProcessView } from '../record/process-view';

/** The span of an agent process. Its steps and tool calls are parts of it. */
export function openProcessSpan(tracing: Tracing | undefined, view: ProcessView): WorkSpan | undefined {
  const { name, pid, uuid } = view;
  return tracing?.begin(name === undefined ? 'invoke_agent' : `invoke_agent ${name}`, 'internal', {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': name,
    'gen_ai.conversation.id': uuid,
    'drivebay.process.pid': pid,
  });
}
