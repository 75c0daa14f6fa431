/** One answer of the vendor, or a piece of one. */
export function answer(parts: object[] | string, candidate: object = {}, fields: object = {}): object {
  const content = { role: 'model', parts: typeof parts === 'string' ? [{ text: parts }] : parts };
  return { candidates: [{ content, index: 0, ...candidate }], modelVersion: 'up-model', ...fields };
}

/** The last one. */
export function end(parts: object[] | string = [], fields: object = {}, reason = 'STOP'): object {
  return answer(parts, { finishReason: reason }, { usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2 }, ...fields }); // prettier-ignore
}

/** The body of an error answer. */
export function refusal(code: number, message: string, details: object[] = []): { error: object } {
  return { error: { code, message, status: 'X', ...(details.length > 0 && { details }) } };
}
