import type { ChatEvent, Usage } from 'drivebay/plugin';
import { countOf, isFields, textOf, type Fields } from '../_shared/fields';
import type { MakeError } from '../_shared/http/explain-error';
import { ofChoice } from '../_shared/http/finish-reason';
import { foreignAnswer, objectIn, type AnswerReader } from '../_shared/http/stream-reader';
import { sumOf, toUsage } from '../_shared/http/usage';
import type { CallIds } from './call-marks';
import { CandidateReader } from './candidate-reader';
import { findPieceError } from './vendor-error';

const MESSAGE_LIMIT = 2_000;
/** The vendor ends a stream at once when it has finished; some proxies never do. */
const LINGER_MS = 2_000;
/** Longer than a model pauses between two pieces. */
const LONG_LINGER_MS = 30_000;

/** Reads one answer: in pieces, or as a whole, which is a single piece. */
export class NativeReader implements AnswerReader {
  /** The vendor ends its streams without a last word. */
  readonly isComplete = false;
  private readonly candidates = new Map<number, CandidateReader>();
  private readonly counts: Fields = {};
  private feedback: Fields | undefined;
  private hasModel = false;

  constructor(
    private readonly expected: number,
    private readonly makeError: MakeError,
    private readonly ids: CallIds,
  ) {}

  get patienceMs(): number | undefined {
    if (!this.isFinished) return undefined;
    const words = [...this.candidates.values()].map(({ goesOn }) => goesOn);
    if (words.includes('yes')) return undefined;
    return words.includes('maybe') ? LONG_LINGER_MS : LINGER_MS;
  }

  read(piece: Fields, events: ChatEvent[]): void {
    const error = findPieceError(piece, this.makeError);
    if (error) throw error;
    if (!this.hasModel) this.readModel(piece.modelVersion, events);
    if (Array.isArray(piece.candidates)) {
      for (const candidate of piece.candidates) {
        if (isFields(candidate)) this.candidateOf(candidate.index).read(candidate, events);
      }
    }
    if (isFields(piece.promptFeedback)) this.feedback = piece.promptFeedback;
    if (!isFields(piece.usageMetadata)) return;
    // Every piece counts all that came so far, but not each piece names every counter.
    for (const name in piece.usageMetadata) {
      if (typeof piece.usageMetadata[name] === 'number') this.counts[name] = piece.usageMetadata[name];
    }
  }

  /** Facts, usage, and one finish per candidate. */
  conclude(events: ChatEvent[]): void {
    if (!this.isFinished) throw this.unfinished();
    if (this.feedback) events.push({ type: 'extra', response: { promptFeedback: this.feedback } });
    for (const candidate of this.candidates.values()) candidate.complete(events);
    const usage = this.usage();
    if (usage) events.push(usage);
    if (!this.hasCandidates) {
      for (let choice = 0; choice < this.expected; choice += 1)
        events.push(ofChoice(choice, { type: 'finish', reason: 'content_filter' }));
    }
    for (const candidate of this.candidates.values()) events.push(this.finishOf(candidate));
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
    return this.candidates.size > 0;
  }

  /** Every candidate has said how it ended, or there will be none. */
  private get isFinished(): boolean {
    // A prompt that the vendor blocks has no candidates.
    if (!this.hasCandidates && textOf(this.feedback?.blockReason) !== undefined) return true;
    if (this.candidates.size < this.expected) return false;
    for (const candidate of this.candidates.values()) if (candidate.endWord === undefined) return false;
    return true;
  }

  private unfinished(): Error {
    if (this.hasCandidates && this.candidates.size < this.expected) {
      const message = `the model answered with ${this.candidates.size} of ${this.expected} choices`;
      return this.makeError('upstream', message, { hint: 'not every model takes n above 1' });
    }
    const where = this.hasCandidates ? 'in the middle, without a finishReason' : 'before it began, without candidates';
    return this.makeError('protocol', `the answer ended ${where}`, { kind: 'truncated' });
  }

  private finishOf(candidate: CandidateReader): ChatEvent {
    const { index, endWord, endMessage } = candidate;
    const reason = candidate.finishReason();
    if (reason !== undefined) return ofChoice(index, { type: 'finish', reason });
    const message = endMessage === undefined ? '' : `: ${endMessage.slice(0, MESSAGE_LIMIT)}`;
    throw this.makeError('upstream', `the model gave the answer up (finishReason "${endWord}")${message}`);
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
    });
  }

  private candidateOf(index: unknown): CandidateReader {
    const number = typeof index === 'number' && index < this.expected ? index : 0;
    let candidate = this.candidates.get(number);
    if (!candidate) {
      candidate = new CandidateReader(number, this.ids);
      this.candidates.set(number, candidate);
    }
    return candidate;
  }

  private readModel(value: unknown, events: ChatEvent[]): void {
    const model = textOf(value);
    if (model === undefined) return;
    this.hasModel = true;
    events.push({ type: 'meta', model });
  }
}
