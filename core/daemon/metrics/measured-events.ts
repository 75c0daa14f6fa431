import type { LiveEvent, RequestEvent } from '../../record/live-event';
import type { ProcessEvent } from '../../record/process-event';
import type { Meter } from './instruments';

type ModelOf = (model: string | undefined, hasAnswered: boolean) => string | undefined;

/** Measures requests at gateways, and agent processes. */
export class MeasuredEvents {
  /** The names of the tools of calls without a result, by process and id. */
  private readonly tools = new Map<string, Map<string, string>>();

  constructor(
    private readonly meter: Meter,
    /** Bounds the names of models. */
    private readonly modelOf: ModelOf,
  ) {}

  take(event: LiveEvent): void {
    if (event.kind === 'request') this.takeRequest(event.event);
    else if (event.kind === 'process') this.takeProcess(event.uuid, event.event);
  }

  private takeRequest(event: RequestEvent): void {
    if (event.type === 'start') return;
    const { dialect, client, turnedAway: reason, status, ms, overheadMs } = event;
    // Chats of the dashboard and of a terminal are no requests of a client.
    if (dialect === undefined) return;
    const { meter } = this;
    const { provider, model, route, attempts = [] } = event.type === 'end' ? event : { provider: undefined };
    // No provider was asked, and none may look as if it failed.
    const named = reason ? {} : { provider, model: this.modelOf(model, status < 400), route };
    const labels = { dialect, client, ...named, status: String(status) };
    meter.record('drivebay.requests', 1, labels);
    meter.record('drivebay.request.duration', ms / 1000, labels);
    if (overheadMs !== undefined) meter.record('drivebay.request.overhead', overheadMs / 1000, { dialect });
    for (const { provider: failed, kind } of attempts) {
      meter.record('drivebay.failed_attempts', 1, { route, provider: failed, 'error.type': kind });
    }
  }

  private takeProcess(uuid: string, event: ProcessEvent): void {
    const { meter, tools } = this;
    if (event.type === 'tool_call') {
      const known = tools.get(uuid) ?? new Map<string, string>();
      tools.set(uuid, known.set(event.id, event.tool));
    } else if (event.type === 'tool_result') {
      const tool = tools.get(uuid)?.get(event.id);
      tools.get(uuid)?.delete(event.id);
      const failure = event.isError ? 'tool_error' : undefined;
      meter.record('gen_ai.execute_tool.duration', event.ms / 1000, {
        'gen_ai.tool.name': tool,
        'error.type': failure,
      });
    } else if (event.type === 'exit') {
      tools.delete(uuid);
      meter.record('drivebay.processes.ended', 1, { state: event.state });
    }
  }
}
