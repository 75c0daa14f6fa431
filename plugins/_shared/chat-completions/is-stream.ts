/** Some servers answer a streamed request with one JSON object, some the other way round: what came decides. */
export function isStream(wasAsked: boolean, contentType = ''): boolean {
  if (/^text\/event-stream/i.test(contentType)) return true;
  return wasAsked && !/^(application\/json|text\/html)/i.test(contentType);
}
