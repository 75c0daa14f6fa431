import type { CreateMessageRequestParams, CreateMessageResult } from '@modelcontextprotocol/sdk/types.js';
import { AnswerFold } from '../../contract/answer-fold';
import type { ChatRequest, ContentPart } from '../../contract/api';
import { CallEnd } from '../../contract/call-end';
import { isRefusal } from '../../providers/refusal';
import { isDriverError } from '../../contract/driver-error';
import { messageOf } from '../../errors';
import { defined } from '../../fields';
import type { Limits } from '../../limits/limits';
import { CallAborted, onAbort } from '../../providers/call-clock';
import type { DeviceCall, LlmDevice } from '../device';
import type { ToolUser } from '../tool-server';
import { refusal } from './questions';

/** What the user has allowed a tool server to ask: a device, as far as a budget goes. */
export interface SamplingGrant {
  server: string;
  device: LlmDevice;
  limits: Limits;
}

const MOST_MESSAGES = 200;
/** In characters, pictures included. */
const LONGEST = 4 * 1024 * 1024;

type Block = Extract<CreateMessageRequestParams['messages'][number]['content'], unknown[]>[number];

/** A question of a tool server to a model that `Questions` has admitted. Rejects with words for the server. */
export async function sample(
  { server, device, limits }: SamplingGrant,
  params: CreateMessageRequestParams,
  { user: { pid, log, depth }, signal }: { user: ToolUser & { depth: number }; signal: AbortSignal },
): Promise<CreateMessageResult> {
  const request = toRequest(params);
  const caller: DeviceCall = {
    id: `sampling of ${server}`,
    asker: defined({ type: 'server', server, pid } as const),
    abort: new CallEnd(),
    arrivedAt: Date.now(),
    depth,
    account: { limits, isCounted: false },
  };
  const forget = onAbort(signal, () =>
    caller.abort.abort(new CallAborted('client_gone', 'the tool server no longer waits for the answer')),
  );
  const answer = new AnswerFold();
  device.users.enter();
  try {
    const { model, usage } = await device.chat(request, caller, (event) => void answer.add(event));
    const tokens = usage ? `${usage.inputTokens} and ${usage.outputTokens} tokens` : 'tokens are not known';
    log.info(`it asked ${device.name}: ${tokens}`);
    const stopReason = answer.finish === 'length' ? 'maxTokens' : 'endTurn';
    const content = { type: 'text' as const, text: answer.text };
    return { role: 'assistant', model: model ?? device.name, stopReason, content };
  } catch (error) {
    const reason = messageOf(error);
    log.info(`it asked ${device.name}, and the call failed: ${reason}`);
    if (isRefusal(error)) throw refusal(reason);
    // A tool server must not learn the words of a backend.
    throw refusal(`the model has failed (${isDriverError(error) ? error.kind : 'internal_error'})`);
  } finally {
    device.users.leave();
    forget();
  }
}

/** Preferences for a model and wishes for context have no effect: the user has chosen the one, and no server sees the other. */
function toRequest({ messages, systemPrompt, ...params }: CreateMessageRequestParams): ChatRequest {
  if (params.tools?.length) throw refusal('the model that is asked gets no tools');
  if (messages.length === 0 || messages.length > MOST_MESSAGES)
    throw refusal(`found ${messages.length} messages, expected 1 to ${MOST_MESSAGES}`);
  const { maxTokens, temperature, stopSequences: stop } = params;
  if (JSON.stringify([messages, systemPrompt, stop]).length > LONGEST)
    throw refusal(`the messages are over ${LONGEST} characters`);
  const system = systemPrompt ? [{ role: 'system' as const, parts: [say(systemPrompt)] }] : [];
  const spoken = messages.map(({ role, content }) => ({ role, parts: [content].flat().map(toPart) }));
  const given = {
    maxTokens: maxTokens > 0 ? maxTokens : undefined,
    temperature,
    stop: stop?.length ? stop : undefined,
  };
  return defined({ stream: true, messages: [...system, ...spoken], extra: {}, ...given });
}

function toPart(block: Block): ContentPart {
  if (block.type === 'text') return say(block.text);
  if (block.type === 'image') {
    // More than a type would change what the address says.
    if (!/^image\/[\w.+-]+$/.test(block.mimeType)) throw refusal('an image has no type such as image/png');
    return { type: 'image', url: `data:${block.mimeType};base64,${block.data}` };
  }
  throw refusal(`a message has ${block.type}, expected text and images`);
}

const say = (text: string): ContentPart => ({ type: 'text', text });
