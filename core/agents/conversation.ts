import type { ChatRequest, Message, Tool } from '../contract/api';
import type { LlmDevice } from '../devices/device';
import { LimitReached } from './failures';
import type { ProcessRun } from './process-run';
import { runTools } from './run-tools';
import { runStep, type StepAnswer } from './step';
import type { ToolBox } from './tool-box';

/** How deep device calls may be nested: a model that asks a model that asks a model. */
const DEPTH_LIMIT = 3;
/** How much of a context window a conversation may fill before its next step. */
const BUDGET_SHARE = 0.9;

/** One model at work: steps, with tool calls between them, until it has answered. */
export class Conversation {
  private isFirst = true;

  constructor(
    private readonly run: ProcessRun,
    private readonly tools: ToolBox,
    readonly device: LlmDevice,
    /** Grows with every step. */
    private readonly request: ChatRequest,
    /** Inside of a tool call: its id, and the number of such calls around the conversation. */
    private readonly inside: { call?: string; depth: number },
  ) {}

  get messages(): Message[] {
    return this.request.messages;
  }

  async complete(): Promise<StepAnswer> {
    for (;;) {
      const answer = await this.step();
      // The tools of an agent CLI have run by then.
      if (answer.calls.length === 0 || this.device.driverKind === 'cli') return answer;
      checkBudget(this.device, answer);
      this.messages.push(answer.message, ...(await this.answers(answer)));
    }
  }

  private step(): Promise<StepAnswer> {
    const { run, device, request, inside } = this;
    const workspace = run.workspace(this.isFirst);
    this.isFirst = false;
    const tools = this.offered();
    // A copy, because a driver may change the list of its request.
    const step: ChatRequest = { ...request, messages: [...request.messages] };
    if (tools.length > 0) step.tools = tools;
    return runStep(run, { device, request: step, workspace, call: inside.call });
  }

  private offered(): Tool[] {
    const { device, tools, inside } = this;
    return device.capabilities.tools && device.driverKind === 'http' && inside.depth < DEPTH_LIMIT
      ? tools.offeredTo(device)
      : [];
  }

  private answers(answer: StepAnswer): Promise<Message[]> {
    const { run, tools, device, inside } = this;
    const depth = inside.depth + 1;
    return runTools({
      run,
      step: answer.step,
      calls: answer.calls,
      refuse: (called) =>
        depth > DEPTH_LIMIT
          ? `device calls go ${DEPTH_LIMIT} levels deep and no further`
          : tools.refusal(called, device),
      find: (name) => tools.find(name),
      offered: this.offered().map(({ name }) => name),
      chat: async (asked, request, call) => {
        const { text, finish } = await new Conversation(run, tools, asked, request, { call, depth }).complete();
        if (text !== '') return text;
        throw new Error(`the model gave no text (${finish})`);
      },
    });
  }
}

/** Throws when a conversation is too long for another step, as far as window and tokens are known. */
function checkBudget({ name, contextWindows }: LlmDevice, { model, usage }: StepAnswer): void {
  const window = model === undefined ? undefined : contextWindows.get(model);
  if (window === undefined || !usage) return;
  const budget = Math.floor(window * BUDGET_SHARE);
  const tokens = usage.inputTokens + usage.outputTokens;
  if (tokens <= budget) return;
  throw new LimitReached(
    'context_budget',
    `the conversation has ${tokens} tokens, and the context budget of "${model}" is ${budget}`,
    `split the work, or correct models.${model}.context_window (${window}) of provider "${name}" in providers.yaml`,
  );
}
