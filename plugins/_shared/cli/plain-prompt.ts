/** A prompt that begins with one of the signs is a command to the program: a space before it makes it words for the model. */
export function plainPrompt(prompt: string, signs: readonly string[]): string {
  return signs.some((sign) => prompt.startsWith(sign)) ? ` ${prompt}` : prompt;
}
