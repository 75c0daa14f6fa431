import type { Message, Part, ReasoningPart, RequestOrigin, ToolCallPart } from './api';

/** What a driver gave with a piece of reasoning or a call, and wants back with it: its `extra` fields. */
export interface CarriedState {
  /** As `makerOf` names it. */
  maker: string;
  extra: Record<string, unknown>;
}

/** A symbol, so that the state is no field of the contract: no driver sees what another one made. */
const CARRIED = Symbol('carried');

type Carrying = { [CARRIED]?: CarriedState };

/** Signatures of one provider mean nothing to another one, even of the same driver: their accounts may differ. */
export function makerOf({ driver, name }: { driver: string; name: string }): string {
  return `${driver}/${name}`;
}

/** The part of an earlier turn with the state that came back with it. */
export function withCarried<P extends ReasoningPart | ToolCallPart>(part: P, state: CarriedState): P {
  return { ...part, [CARRIED]: state };
}

/** Gives each part the state that this maker made. That of other makers is left out; the text of the part stays. */
export function openCarried(messages: Message[], maker: string): Message[] {
  if (!messages.some(({ parts }) => parts.some(isCarrying))) return messages;
  return messages.map((message) => ({ ...message, parts: message.parts.flatMap((part) => open(part, maker)) }));
}

function open(part: Part, maker: string): Part[] {
  if (!isCarrying(part)) return [part];
  const { [CARRIED]: state, ...plain } = part;
  if (plain.type !== 'reasoning' && plain.type !== 'tool_call') return [plain];
  if (state?.maker === maker) return [{ ...plain, extra: { ...plain.extra, ...state.extra } }];
  // Reasoning of another maker that was only a signature.
  return plain.type === 'reasoning' && plain.text === '' ? [] : [plain];
}

type BodyFor = (maker: string) => RequestOrigin['body'];
type Openable = RequestOrigin & { [CARRIED]?: BodyFor };

/** A request in its client's wire, whose body differs by who gets it. */
export function withBodies(origin: RequestOrigin, bodyFor: BodyFor): RequestOrigin {
  return { ...origin, [CARRIED]: bodyFor } as RequestOrigin;
}

/** The request with the state that this maker made. */
export function openOrigin(origin: RequestOrigin | undefined, maker: string): RequestOrigin | undefined {
  if (!origin || !(CARRIED in origin)) return origin;
  const { [CARRIED]: bodyFor, ...plain } = origin as Openable;
  return bodyFor ? { ...plain, body: bodyFor(maker) } : origin;
}

function isCarrying(part: Part): part is Part & Carrying {
  return CARRIED in part;
}
