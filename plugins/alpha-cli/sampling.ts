import type { Call, ChatEvent, ChatRequest, DriverFailure } from 'drivebay/plugin';
import type { Fields } from '../_shared/fields';
import { limitVariables } from './environment';

type Answer = AsyncGenerator<ChatEvent, void, undefined>;

const NAMES = /\b(?:temperature|top_p)\b/;

/** How models are to pick their words, until one refuses to be told: newer ones do. */
export class Sampling {
  /** By the model and the field. With `top_p` the program sends some models a temperature of its own, and they take one of them. */
  private readonly refused = new Set<string>();

  /** By the names of the API. It takes them from requests without thoughts, and from some models only one of the two. */
  fieldsOf(request: ChatRequest): Fields {
    const { model, temperature, topP } = request;
    if (limitVariables(request).MAX_THINKING_TOKENS !== '0') return {};
    if (temperature !== undefined) return temperature <= 1 ? this.unlessRefused(model, { temperature }) : {};
    return topP === undefined ? {} : this.unlessRefused(model, { top_p: topP });
  }

  /** Passes on an answer. Where the model refuses the fields, `ask` is called again, and they are left out from then on. */
  answer(request: ChatRequest, call: Call, ask: () => Answer): Answer {
    const fields = this.fieldsOf(request);
    return Object.keys(fields).length === 0 ? ask() : this.mayAskAgain(request.model, fields, call, ask);
  }

  private unlessRefused(model: string | undefined, fields: Fields): Fields {
    return this.refused.has(keyOf(model, fields)) ? {} : fields;
  }

  private async *mayAskAgain(model: string | undefined, fields: Fields, call: Call, ask: () => Answer): Answer {
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
    const key = keyOf(model, fields);
    this.refused.add(key);
    try {
      yield* ask();
    } catch (error) {
      // The words of the refusal may have been about a tool that has such a field.
      this.refused.delete(key);
      throw error;
    }
  }
}

function keyOf(model: string | undefined, fields: Fields): string {
  return JSON.stringify([model, ...Object.keys(fields)]);
}
