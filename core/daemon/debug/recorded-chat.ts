import { readCarrierKey } from '../../gateway/carrier-key';
import { Carriers } from '../../gateway/carriers';
import { DialectTable } from '../../gateway/dialect-table';
import { dialects } from '../../gateway/dialects/dialects';
import type { ChatRequest } from '../../contract/api';
import type { Exchange } from '../../record/exchange';
import { HttpError } from '../../serving/http-error';
import type { Operations } from '../control/operations';

/** The request of an exchange as a device takes it, read again from its body. Throws an HttpError where that cannot be. */
export function recordedChat({ head, content }: Exchange, { paths, log }: Operations['parts']): ChatRequest {
  if (!content?.body)
    throw new HttpError(409, 'no_content', `the recorder does not have the body of "${head.id}" any more`);
  const carriers = new Carriers(() => readCarrierKey(paths.state, log));
  const form = new DialectTable(dialects).calls.get(head.path)?.form;
  const { chat } = form?.parse(content.body, content.wireHeaders ?? {}, carriers, head.client) ?? {};
  if (chat) return chat;
  throw new HttpError(
    409,
    'no_chat',
    `"${head.id}" is not a chat: only chats can be sent again and exported as a fixture`,
  );
}
