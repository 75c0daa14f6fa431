import type { ChatRequest, Message, Tool } from '../contract/api';
import type { LlmDevice } from '../devices/device';
import { checkBudget } from './context-budget';
import type { Run } from './run';
import { runStep, type StepAnswer } from './step';
import { runTools } from './run-tools';
import type { ToolBox } from './tool-box';

/** How deep device calls may be nested: a model that asks a model that asks a model. */
const DEPTH_LIMIT = 3;

/** One model at work: steps, with tool calls between them, until it has answered. */
export class Conversation {
  private isFirst = true;

  constructor(
    private readonly run: Run,
    private readonly tools: ToolBox,
    readonly device: LlmDevice,
    /** Grows with every step. */
    private readonly request: ChatRequest,
    /** For a conversation inside of a tool call: its id, and how many such calls are around it. */
    private readonly inside: { call?: string; depth: number },
  ) {}

  get messages(): Message[] {
    return this.request.messages;
  }

  async complete(): Promise<StepAnswer> {
    for (;;) {
      const answer = await this.step();
      // An agent CLI has run its own tools by then.
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
    // A copy: whatever a driver does with its request, the history is ours.
    const messages = [...request.messages];
    return runStep(run, {
      device,
      request: { ...request, messages, ...(tools.length > 0 && { tools }) },
      workspace,
      ...(inside.call !== undefined && { call: inside.call }),
    });
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
