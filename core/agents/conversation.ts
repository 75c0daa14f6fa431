import type { ChatRequest, Message, Tool } from '../contract/api';
import { within } from '../contract/work-span';
import type { LlmDevice } from '../devices/device';
import type { ToolOutcome } from '../devices/tool-server';
import { messageOf } from '../errors';
import { CallContent } from '../record/call-content';
import { limitReached } from './failures';
import type { RecordedSession } from '../record/process-event';
import { forModel, textOf } from './outcome-text';
import type { ProcessRun } from './process-run';
import { Step, type StepAnswer } from './step';
import type { FoundTool, ProcessTools } from './process-tools';

/** How deep device calls may be nested: a model that asks a model that asks a model. */
const DEPTH_LIMIT = 3;
/** How much of a context window a conversation may fill before its next step. */
const BUDGET_SHARE = 0.9;

/** One model at work: steps, with tool calls between them, until it has answered. */
export class Conversation {
  private isFirst = true;
  /** Who answered last: of a route, one of its targets. */
  private previous: LlmDevice | undefined;
  private readonly signal: AbortSignal;

  constructor(
    private readonly run: ProcessRun,
    private readonly tools: ProcessTools,
    readonly device: LlmDevice,
    private readonly request: ChatRequest,
    /** Inside of a tool call: its id, and the number of such calls around the conversation. */
    private readonly inside: { call?: string; depth: number; session?: RecordedSession; signal?: AbortSignal },
  ) {
    this.signal = inside.signal ?? run.signal;
  }

  get messages(): Message[] {
    return this.request.messages;
  }

  async complete(): Promise<StepAnswer> {
    for (;;) {
      const answer = await this.step();
      this.previous = answer.device;
      // The tools of an agent CLI have run by then.
      if (answer.calls.length === 0 || answer.device.driverKind === 'cli') return answer;
      checkBudget(answer);
      // The calls run side by side.
      const outcomes = answer.calls.map(async ({ id: callId, name, arguments: input }): Promise<Message> => {
        const { content } = await this.runTool(name, input, answer.step);
        return { role: 'tool', parts: [{ type: 'tool_result', callId, content }] };
      });
      this.messages.push(answer.message, ...(await Promise.all(outcomes)));
    }
  }

  private async step(): Promise<StepAnswer> {
    const { run, device, request, inside, previous, signal } = this;
    const workspace = run.workspace(this.isFirst);
    const session = this.isFirst ? inside.session : undefined;
    this.isFirst = false;
    const tools = await this.offered();
    // A copy, because a driver may change the list of its request.
    const step: ChatRequest = { ...request, messages: [...request.messages] };
    if (tools.length > 0) step.tools = tools;
    const { call } = inside;
    const program = (number: () => number) =>
      this.tools.forProgram(device, (name, input, ofCall) =>
        this.runTool(name, input, number(), AbortSignal.any([signal, ofCall])),
      );
    return new Step(run, { device, request: step, workspace, program, session, previous, call, signal }).run();
  }

  private async offered(): Promise<Tool[]> {
    const { device, tools, inside } = this;
    return device.capabilities.tools && device.driverKind !== 'cli' && inside.depth < DEPTH_LIMIT
      ? tools.offeredTo(device)
      : [];
  }

  /** Runs one tool call of a step. A failure of the call is its answer to the model. */
  private async runTool(tool: string, text: string, step: number, signal = this.signal): Promise<ToolOutcome> {
    const { run } = this;
    const id = run.nextCall();
    const found = this.tools.find(tool);
    const refused = await this.refusal(tool, found);
    run.add({ type: 'tool_call', step, id, tool, arguments: text, device: found?.path, refused });
    const startedAt = Date.now();
    const span = run.span?.child(`execute_tool ${tool}`, 'internal', {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': id,
    });
    const told = span?.takesContent ? new CallContent(run.redactor) : undefined;
    const asked = told?.called(text);
    let outcome: ToolOutcome;
    try {
      if (!found || refused !== undefined) throw new Error(`refused: ${refused}`);
      const chat = (asked: LlmDevice, request: ChatRequest) => this.ask(asked, request, id, signal);
      outcome = await within(span, () => found.call(parseArguments(text), { chat }, signal));
    } catch (error) {
      // The process is ending, so no model waits for the answer.
      if (run.signal.aborted) {
        span?.end(asked, 'canceled');
        throw error;
      }
      outcome = { content: [{ type: 'text', text: messageOf(error) }], isError: true };
    }
    const { isError } = outcome;
    const content = forModel(outcome, this.device);
    span?.end({ ...asked, ...told?.returned(content) }, isError ? 'tool_error' : undefined);
    run.add({ type: 'tool_result', step, id, text: textOf(content), isError, ms: Date.now() - startedAt });
    return { content, isError };
  }

  /** Returns why the model may not call a tool. */
  private async refusal(tool: string, found: FoundTool | undefined): Promise<string | undefined> {
    if (!found) {
      const { device, tools } = this;
      const offered = device.driverKind === 'cli' ? tools.namedFor(device) : await this.offered();
      const names = offered.map(({ name }) => name);
      const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : '';
      const only = `only ${names.slice(0, MOST_NAMES).join(', ')}${more}`;
      return `there is no tool "${tool}", ${names.length > 0 ? only : 'and this agent has no tools'}`;
    }
    if (this.inside.depth < DEPTH_LIMIT) return found.refusal(this.device);
    return `device calls go ${DEPTH_LIMIT} levels deep and no further`;
  }

  private async ask(device: LlmDevice, request: ChatRequest, call: string, signal: AbortSignal): Promise<string> {
    const { run, tools, inside } = this;
    const asked = new Conversation(run, tools, device, request, { call, depth: inside.depth + 1, signal });
    const { text, finish } = await asked.complete();
    if (text !== '') return text;
    throw new Error(`the model gave no text (${finish})`);
  }
}

/** A user reads the refusal in a terminal, and the model has the whole list anyway. */
const MOST_NAMES = 20;

/** Models leave the arguments of a function without parameters empty. */
function parseArguments(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`the arguments are not JSON: ${messageOf(error)}`, { cause: error });
  }
}

/** Throws when a conversation is too long for another step, as far as window and tokens are known. */
function checkBudget({ device: { name, contextWindows }, model, usage }: StepAnswer): void {
  const window = model === undefined ? undefined : contextWindows.get(model);
  if (window === undefined || !usage) return;
  const budget = Math.floor(window * BUDGET_SHARE);
  const tokens = usage.inputTokens + usage.outputTokens;
  if (tokens <= budget) return;
  throw limitReached(
    'context_budget',
    `the conversation has ${tokens} tokens, and the context budget of "${model}" is ${budget}`,
    `split the work, or correct models.${model}.context_window (${window}) of provider "${name}" in providers.yaml`,
  );
}
