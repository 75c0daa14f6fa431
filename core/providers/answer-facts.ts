import type { Call, ChatEvent, ChatRequest, Usage, Warmth } from '../contract/api';
import { DriverError } from '../contract/driver-error';
import { inputAtMost, outputAtMost } from '../prices/weigh-request';
import type { Guess } from '../record/ledger';
import type { Caller, Used } from './caller';
import { markSession, openSession } from './session-mark';
import type { ProviderSettings } from './settings';

/** In characters. A backend that never stops must fill no memory, and no text can be much longer. */
const LONGEST_ANSWER = 64 * 1024 * 1024;

/** What a driver says about its answer, besides the answer. */
export class AnswerFacts {
  private usage: Usage | undefined;
  private model: string | undefined;
  private warm: Warmth | undefined;
  private mark: string | undefined;
  private session: Used['session'];
  private length = 0;
  /** How much of it the usage counts. */
  private counted = 0;
  private inputTokens: number | undefined;

  /** `isHeld`: whether the whole answer is kept until its end, for one body or for an agent. A stream may be of any length. */
  constructor(
    private readonly target: ProviderSettings,
    private readonly isHeld: boolean,
  ) {}

  /** Gives an agent process the session of the one before, where that is of the same conversation. */
  fitSession(call: Call, request: ChatRequest, { workspace, session }: Pick<Caller, 'workspace' | 'session'>): void {
    if (!workspace) return;
    this.mark = markSession(request, this.target, workspace);
    call.session = openSession(session, this.mark, request);
  }

  /** Whether the client gets the event. Throws a DriverError for an answer that no client could work with. */
  note(event: ChatEvent): boolean {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        this.grow(event.text);
        break;
      case 'tool_call':
        refuseNameless(event);
        this.grow(event.arguments);
        break;
      case 'usage':
        this.usage = event;
        this.counted = this.length;
        break;
      case 'meta':
        this.model = event.model ?? this.model;
        this.warm = event.warm ?? this.warm;
        break;
      case 'session':
        if (this.mark !== undefined) this.session = { mark: this.mark, state: event.state };
        return false;
      default:
    }
    return true;
  }

  /** `asked`: the model that was asked for, which has a price where the name that the backend answers with has none. */
  used(firstMs: number | undefined, asked: string | undefined): Used {
    const { usage, model, warm, session, target } = this;
    const { costUsd, nominalUsd, priced } = target.prices.costOf(usage, [model, asked]);
    return { usage, model, costUsd, nominalUsd, priced, firstMs, warm, session };
  }

  /** The input, rather too much than too little. Kept for `guess`, because the request itself is not. */
  weigh(request: ChatRequest): number {
    return (this.inputTokens ??= inputAtMost(request));
  }

  /** What was used until now, where the driver has not said it, or has said it before the last words. */
  guess(asked: string | undefined): Guess | undefined {
    const { usage, inputTokens, model, length, counted } = this;
    if (usage ? length === counted : inputTokens === undefined) return undefined;
    // Some servers begin with a count of 0.
    const input = usage?.inputTokens || (inputTokens ?? 0);
    const outputTokens = (usage?.outputTokens ?? 0) + outputAtMost(length - counted);
    const { costUsd } = this.target.prices.costOf({ ...usage, inputTokens: input, outputTokens }, [model, asked]);
    return { tokens: input + outputTokens, costUsd };
  }

  private grow(piece = ''): void {
    this.length += piece.length;
    if (!this.isHeld || this.length <= LONGEST_ANSWER) return;
    throw new DriverError('protocol', `the answer does not end: it has more than ${LONGEST_ANSWER} characters`, {
      hint: `set max_tokens of provider "${this.target.name}" in providers.yaml, or check its backend`,
    });
  }
}

/** No client can run such a call, and many backends refuse a conversation that holds one. Other types have their name elsewhere. */
function refuseNameless({ id, name, extra }: Extract<ChatEvent, { type: 'tool_call' }>): void {
  if (id === undefined || name !== '' || extra?.type !== undefined) return;
  throw new DriverError('protocol', 'the model called a tool without its name');
}
