import type { Call, ChatEvent, ChatRequest, DriverFailure } from 'drivebay/plugin';
import type { Fields } from '../_shared/fields';
import { limitVariables } from './environment';

type Answer = AsyncGenerator<ChatEvent, void, undefined>;

const NAMES = /\b(?:temperature|top_p)\b/;

/** How models are to pick their words, until one refuses to be told: newer ones do. */
export class Sampling {
  private readonly refusing = new Set<string | undefined>();

  /** By the names of the API. It takes them from requests without thoughts, and from some models only one of the two. */
  fieldsOf(request: ChatRequest): Fields {
    const { model, temperature, topP } = request;
    if (limitVariables(request).MAX_THINKING_TOKENS !== '0' || this.refusing.has(model)) return {};
    if (temperature !== undefined) return temperature <= 1 ? { temperature } : {};
    return topP === undefined ? {} : { top_p: topP };
  }

  /** Passes on an answer. Where the model refuses the fields, `ask` is called again, and they are left out from then on. */
  answer(request: ChatRequest, call: Call, ask: () => Answer): Answer {
    return Object.keys(this.fieldsOf(request)).length === 0 ? ask() : this.mayAskAgain(request, call, ask);
  }

  private async *mayAskAgain({ model }: ChatRequest, call: Call, ask: () => Answer): Answer {
    let hasBegun = false;
    try {
      for await (const event of ask()) {
        hasBegun ||= event.type !== 'meta';
        yield event;
      }
      return;
    } catch (error) {
      const { status, message } = error as DriverFailure;
      const [refused] = NAMES.exec(message) ?? [];
      if (hasBegun || status !== 400 || refused === undefined) throw error;
      call.log.info(
        `${model === undefined ? 'the model' : `model "${model}"`} refused ${refused}: asking again without`,
      );
    }
    this.refusing.add(model);
    try {
      yield* ask();
    } catch (error) {
      // The words of the refusal may have been about a tool that has such a field.
      this.refusing.delete(model);
      throw error;
    }
  }
}
