import { type HttpAnswer, type HttpRequestRecord, json, sse } from 'drivebay/testing';
import { delta, DONE, finish, usageChunk } from '../setup/upstream';
import { block, callBlock, stream as messageStream, textBlock } from '../plugins/eta/wire';
import { answer as candidate, end as lastCandidate } from '../plugins/zeta/wire';
import { answers, asksFor } from './codex-answers';

/** What a model does with one request, in no wire. */
export interface Turn {
  text?: string;
  thought?: string;
  calls?: { name: string; args: object }[];
}

export type Answerer = (request: HttpRequestRecord) => Turn | HttpAnswer;

/** The answers of a server, in the wire that it is asked in. Each call takes the next one; the last one stays. */
export function playing(...turns: (Turn | HttpAnswer)[]): (request: HttpRequestRecord) => HttpAnswer {
  let next = 0;
  return deciding(() => turns[Math.min(next++, turns.length - 1)]!);
}

/** The same, for calls that come in no order: each answer is decided by its request. */
export function deciding(answerTo: Answerer): (request: HttpRequestRecord) => HttpAnswer {
  let step = 0;
  return (request) => {
    const { method, path } = request;
    if (method !== 'POST') return json({ object: 'list', data: [{ id: 'm-1' }], models: [{ name: 'models/m-1' }] });
    const turn = answerTo(request);
    step += 1;
    if ('pieces' in turn) return turn;
    if (path.includes(':streamGenerateContent')) return inGemini(turn, step);
    if (path.includes('/messages')) return inMessages(turn, step);
    if (path.includes('/responses')) return inResponses(turn, step);
    return inChat(turn, step);
  };
}

function inChat({ text, thought, calls = [] }: Turn, step: number): HttpAnswer {
  return sse([
    ...(thought ? [delta({ reasoning_content: thought })] : []),
    ...(text ? [delta(text)] : []),
    ...calls.map(({ name, args }, index) =>
      delta({
        tool_calls: [
          { index, id: `call_${step}_${index}`, type: 'function', function: { name, arguments: JSON.stringify(args) } },
        ],
      }),
    ),
    finish(calls.length > 0 ? 'tool_calls' : 'stop'),
    usageChunk(1000, 12, { prompt_tokens_details: { cached_tokens: 900 } }),
    DONE,
  ]);
}

/** Thoughts and calls have signatures, which the vendor wants back. */
function inGemini({ text, thought, calls = [] }: Turn, step: number): HttpAnswer {
  const parts = [
    ...(thought ? [{ text: thought, thought: true }] : []),
    ...(text ? [{ text }] : []),
    ...calls.map(({ name, args }, index) => ({
      functionCall: { name, args },
      ...(index === 0 && { thoughtSignature: signatureOf(step) }),
    })),
  ];
  return sse([candidate(parts), lastCandidate()]);
}

function inMessages({ text, thought, calls = [] }: Turn, step: number): HttpAnswer {
  const blocks: string[][] = [];
  if (thought) {
    blocks.push(
      block(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: thought },
        { type: 'signature_delta', signature: signatureOf(step) },
      ),
    );
  }
  if (text) blocks.push(textBlock(blocks.length, text));
  calls.forEach(({ name, args }, index) =>
    blocks.push(callBlock(blocks.length, `toolu_${step}_${index}`, name, JSON.stringify(args))),
  );
  return messageStream(blocks.flat(), calls.length > 0 ? 'tool_use' : 'end_turn');
}

function inResponses({ text = '', calls = [] }: Turn, step: number): HttpAnswer {
  if (calls.length === 0) return answers(text);
  const items = calls.map(({ name, args }, index) => ({
    type: 'function_call',
    id: `fc_${step}_${index}`,
    call_id: `call_${step}_${index}`,
    ...inNamespace(name),
    arguments: JSON.stringify(args),
    status: 'completed',
  }));
  return asksFor(items);
}

/** The wire that has namespaces names them apart. */
function inNamespace(name: string): { name: string; namespace?: string } {
  const end = name.lastIndexOf('__');
  return end < 0 ? { name } : { name: name.slice(end + 2), namespace: name.slice(0, end) };
}

/** In base64, as the vendors have them. */
export function signatureOf(step: number): string {
  return Buffer.from(`signature of step ${step}`).toString('base64');
}
