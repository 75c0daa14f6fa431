import type { ChatRequest } from '../../contract/api';
import { defined } from '../../fields';
import type { Exchange } from '../../record/exchange';
import { viewAnswer } from '../../record/exchange-view';
import { type Fixture, FIXTURE } from '../../record/fixture';
import { pickUsage } from '../../record/usage';
import { HttpError } from '../../serving/http-error';

/** Nothing of it is redacted yet. */
export function makeFixture(exchange: Exchange, chat: ChatRequest): Fixture {
  const { head, asks, end, content } = exchange;
  const ask = asks.findLast(({ askedAt }) => askedAt !== undefined);
  if (!end || !ask || !content)
    throw new HttpError(409, 'no_answer_yet', `no driver has answered "${head.id}", so there is nothing to play`);
  const usage = end.used?.usage;
  const { code, message = '', status } = ask.failure ?? {};
  return defined({
    fixture: FIXTURE,
    id: head.id,
    driver: ask.driver ?? '',
    request: defined({ ...chat, model: ask.model }),
    pieces: content.events.flatMap((event) => (event.type === 'text' && !event.choice ? [event.text] : [])),
    answer: viewAnswer(content),
    usage: usage && pickUsage(usage),
    failure: ask.failure && defined({ code: code ?? ask.failure.kind, message, status }),
  });
}
