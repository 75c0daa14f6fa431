import type { ChatEvent, Usage } from 'drivebay/plugin';
import { countOf, isFields, textOf, type Fields } from '../_shared/fields';
import type { MakeError } from '../_shared/http/explain-error';
import { ChoicesReader, ofChoice } from '../_shared/http/choices-reader';
import { foreignAnswer, objectIn, type AnswerReader } from '../_shared/http/answer-reader';
import { sumOf, toUsage } from '../_shared/http/usage';
import type { CallIds } from './call-marks';
import { CandidateReader } from './candidate-reader';
import { findPieceError } from './vendor-error';

const MESSAGE_LIMIT = 2_000;
/** The vendor ends a stream at once when it has finished; some proxies never do. */
const LINGER_MS = 2_000;
/** Longer than a model pauses between two pieces. */
const LONG_LINGER_MS = 30_000;

/** Reads one answer. The vendor ends its streams without a last word, so the reader is never complete before their end. */
export class NativeReader extends ChoicesReader<CandidateReader> implements AnswerReader {
  private readonly counts: Fields = {};
  private isCounted = false;
  private feedback: Fields | undefined;

  constructor(
    expected: number,
    makeError: MakeError,
    private readonly ids: CallIds,
    /** See CandidateReader. */
    private readonly signsReasoning = false,
  ) {
    super(expected, makeError);
  }

  get patienceMs(): number | undefined {
    if (!this.isFinished) return undefined;
    const words = this.choices.map(({ goesOn }) => goesOn);
    if (words.includes('yes')) return undefined;
    return words.includes('maybe') ? LONG_LINGER_MS : LINGER_MS;
  }

  read(piece: Fields, events: ChatEvent[]): void {
    const error = findPieceError(piece, this.makeError);
    if (error) throw error;
    this.readModel(piece.modelVersion, events);
    if (Array.isArray(piece.candidates)) {
      for (const candidate of piece.candidates) {
        if (isFields(candidate)) this.choiceOf(candidate.index).read(candidate, events);
      }
    }
    if (isFields(piece.promptFeedback)) this.feedback = piece.promptFeedback;
    if (!isFields(piece.usageMetadata)) return;
    // Every piece counts all that came so far, but not each piece names every counter.
    for (const name in piece.usageMetadata) {
      const count = piece.usageMetadata[name];
      if (typeof count === 'number' || Array.isArray(count)) this.counts[name] = count;
    }
    if (!this.isCounted && !this.isFinished) this.count(events);
  }

  conclude(events: ChatEvent[]): void {
    if (!this.isFinished) throw this.unfinished();
    if (this.feedback) events.push({ type: 'extra', response: { promptFeedback: this.feedback } });
    this.finish(events, this.usage());
    if (this.hasCandidates) return;
    for (let choice = 0; choice < this.expected; choice += 1) {
      events.push(ofChoice(choice, { type: 'finish', reason: 'content_filter' }));
    }
  }

  /** A streamed method without server-sent events answers with a list. */
  readWhole(answer: unknown, events: ChatEvent[]): void {
    for (const value of Array.isArray(answer) ? answer : [answer]) {
      const piece = objectIn(value, this.makeError);
      if (!('candidates' in piece || 'promptFeedback' in piece || 'usageMetadata' in piece || 'error' in piece)) {
        throw foreignAnswer(piece, 'candidates', 'check base_url: is it the native API?', this.makeError);
      }
      this.read(piece, events);
    }
    if (!this.hasCandidates && !this.isFinished) {
      throw this.makeError('upstream', 'the vendor answered without candidates', { kind: 'empty' });
    }
    this.conclude(events);
  }

  private get hasCandidates(): boolean {
    return this.choices.length > 0;
  }

  protected override get isFinished(): boolean {
    // A prompt that the vendor blocks has no candidates.
    return (!this.hasCandidates && textOf(this.feedback?.blockReason) !== undefined) || super.isFinished;
  }

  protected open(index: number): CandidateReader {
    return new CandidateReader(index, this.ids, this.signsReasoning);
  }

  protected gaveUp({ endWord, endMessage }: CandidateReader): Error {
    const message = endMessage === undefined ? '' : `: ${endMessage.slice(0, MESSAGE_LIMIT)}`;
    return this.makeError('upstream', `the model gave the answer up (finishReason "${endWord}")${message}`);
  }

  private unfinished(): Error {
    if (this.hasCandidates && this.choices.length < this.expected) {
      const message = `the model answered with ${this.choices.length} of ${this.expected} choices`;
      return this.makeError('upstream', message, { hint: 'not every model takes n above 1' });
    }
    const where = this.hasCandidates ? 'in the middle, without a finishReason' : 'before it began, without candidates';
    return this.makeError('protocol', `the answer ended ${where}`, { kind: 'truncated' });
  }

  /** The input is charged also where the rest never comes. */
  private count(events: ChatEvent[]): void {
    const usage = this.usage();
    this.isCounted = usage !== undefined;
    if (usage) events.push(usage);
  }

  /** The prompt's count includes what was cached; the answer's count does not include the thoughts. */
  private usage(): Usage | undefined {
    const count = (name: string): number | undefined => countOf(this.counts[name]);
    const thoughts = count('thoughtsTokenCount');
    return toUsage({
      inputTokens: sumOf(count('promptTokenCount'), count('toolUsePromptTokenCount')),
      outputTokens: sumOf(count('candidatesTokenCount'), thoughts),
      cachedInputTokens: count('cachedContentTokenCount'),
      reasoningTokens: thoughts,
      audioInputTokens: countOfKind('AUDIO', this.counts.promptTokensDetails),
      audioOutputTokens: countOfKind('AUDIO', this.counts.candidatesTokensDetails),
      imageOutputTokens: countOfKind('IMAGE', this.counts.candidatesTokensDetails),
    });
  }
}

/** Of the counts by `modality`; undefined where this one is not among them. */
function countOfKind(modality: string, counts: unknown): number | undefined {
  if (!Array.isArray(counts)) return undefined;
  return sumOf(
    ...counts.map((each) => (isFields(each) && each.modality === modality ? countOf(each.tokenCount) : undefined)),
  );
}
