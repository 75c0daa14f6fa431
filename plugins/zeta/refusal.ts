import type { ChatRequest, DriverFailure } from 'drivebay/plugin';
import type { Signatures } from './contents';
import type { ModelMemory } from './model-memory';
import type { NativeRequest } from './native-request';
import { SAMPLING } from './sampling';
import { readVendorError } from './vendor-error';

const REFUSING =
  /not (enabled|supported|allowed|available|permitted)|n['’]t support|not support|unsupported|deprecated|no longer|cannot find field/i;
const UNKNOWN_NAME = /Unknown name "([^"]+)"/g;

/** How each field is spelled in the vendor's sentences. */
const SPELLINGS: Record<keyof typeof SAMPLING, RegExp> = {
  temperature: /temperature/i,
  top_p: /top[_ -]?p\b/i,
  top_k: /top[_ -]?k\b/i,
  seed: /\bseed\b/i,
  presence_penalty: /(?<!frequency[_ ]?)penalty/i,
  frequency_penalty: /(?<!presence[_ ]?)penalty/i,
  stop: /stop[_ ]?sequences?/i,
};

/** What was sent when the vendor refused. */
export interface Attempt {
  request: ChatRequest;
  native: NativeRequest;
  signatures: Signatures;
}

/**
 * Learns from a refusal what the model does not take. Undefined when the error is the client's to hear: a bad value, and
 * everything without which the answer would be to another question. Else how to treat signatures in the next try.
 */
export function learn(failure: DriverFailure, attempt: Attempt, memory: ModelMemory): Signatures | undefined {
  if (failure.status !== 400) return undefined;
  const message = readVendorError(failure.answer)?.message ?? failure.message;
  if (/thought[_ ]?signature/i.test(message)) return learnSignature(message, attempt.signatures, memory);
  const isRefusal = REFUSING.test(message);
  const learned = isRefusal && [
    learnSystem(message, attempt, memory),
    learnThinking(message, attempt, memory),
    ...refusedFields(message, attempt).map((name) => memory.fields.add(name)),
  ];
  return learned && learned.some(Boolean) ? attempt.signatures : undefined;
}

function learnSignature(message: string, sent: Signatures, memory: ModelMemory): Signatures | undefined {
  if (/missing/i.test(message)) {
    memory.wantsSignatures = true;
    return sent === 'kept' ? 'filled' : undefined;
  }
  // Those of another model, or of another vendor's account: this conversation's own matter.
  return sent === 'replaced' ? undefined : 'replaced';
}

function learnSystem(message: string, { native }: Attempt, memory: ModelMemory): boolean {
  if (!native.parameters.config?.systemInstruction || !/(developer|system)[_ ]?instruction/i.test(message))
    return false;
  memory.takesSystem = false;
  return true;
}

/** An effort is the client's choice, and so is its refusal; how a budget is spelled is ours. */
function learnThinking(message: string, { request, native }: Attempt, memory: ModelMemory): boolean {
  const sent = native.parameters.config?.thinkingConfig;
  if (!sent || request.reasoningEffort || !/think|includeThoughts|include_thoughts/i.test(message)) return false;
  const isForm = sent.thinkingBudget !== undefined && /budget/i.test(message);
  // A request that was under way at the same time may have learned more.
  if (!isForm) memory.budgetAs = 'none';
  else if (memory.budgetAs === 'budget') memory.budgetAs = 'level';
  return true;
}

function refusedFields(message: string, { native: { parameters, extra } }: Attempt): string[] {
  const config = parameters.config ?? {};
  const unknown = new Set([...message.matchAll(UNKNOWN_NAME)].map(([, name]) => name!));
  const sampling = (Object.keys(SAMPLING) as (keyof typeof SAMPLING)[]).filter((name) => {
    const native = SAMPLING[name];
    if (config[native] === undefined) return false;
    return unknown.size > 0 ? unknown.has(native) : SPELLINGS[name].test(message);
  });
  // Inside a field that went along as it came, the vendor names what it does not know, not where it was.
  return [...sampling, ...Object.keys(extra).filter((name) => unknown.has(name) || holds(extra[name], unknown))];
}

function holds(value: unknown, names: ReadonlySet<string>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => names.has(name) || holds(inner, names));
}
