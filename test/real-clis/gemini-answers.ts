import { type HttpAnswer, type HttpPiece, json, sse } from 'drivebay/testing';

const USAGE = {
  promptTokenCount: 1200,
  candidatesTokenCount: 3,
  totalTokenCount: 1210,
  cachedContentTokenCount: 1000,
  thoughtsTokenCount: 7,
};

/** One event of a stream. */
export const piece = (parts: unknown[], finishReason?: string) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...(finishReason && { finishReason }) }],
  usageMetadata: USAGE,
  modelVersion: 'gemini-2.5-flash',
});

/** A stream of the Gemini API; the pieces `before` its end come after the text. */
export function answers(text: string, before: HttpPiece[] = []): HttpAnswer {
  return sse([piece([{ text }]), ...before, piece([{ text: '' }], 'STOP')]);
}

/** Asks for a command to be run, then answers. */
export function runs(command: string, text: string): (request: { body: unknown }) => HttpAnswer {
  return ({ body }) => {
    const { contents } = body as { contents: { parts: { functionResponse?: unknown }[] }[] };
    if (contents.at(-1)?.parts.some(({ functionResponse }) => functionResponse !== undefined)) return answers(text);
    return sse([piece([{ functionCall: { name: 'run_shell_command', args: { command, description: 'x' } } }], 'STOP')]);
  };
}

export function refuses(code: number, message: string, status: string, details: unknown[] = []): HttpAnswer {
  return json({ error: { code, message, status, details } }, { status: code });
}
