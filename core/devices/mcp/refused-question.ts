/** Questions during one call of a tool, however many the budget would pay for. */
export const MOST_QUESTIONS = 50;

/** As the protocol has it: the user does not want that. */
const REFUSED = -1;

/** A question that a tool server may not ask a model, in words for the server. */
export function refusal(message: string): Error {
  return Object.assign(new Error(message), { code: REFUSED });
}
