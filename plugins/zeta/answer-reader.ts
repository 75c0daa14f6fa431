import type { ChatEvent, DriverContext } from 'drivebay/plugin';
import { isFields, textOf, type Fields } from '../_shared/fields';
import type { CallIds } from './call-id';
import { CandidateReader } from './candidate-reader';
import { addCounts, readUsage } from './usage';
import { toPieceError } from './vendor-error';

const MESSAGE_LIMIT = 2_000;
/** The vendor ends a stream at once when it has finished; some proxies never do. */
const LINGER_MS = 2_000;
/** Longer than a model pauses between two pieces. */
const LONG_LINGER_MS = 30_000;

/** Reads one answer: in pieces, or as a whole, which is a single piece. */
export class AnswerReader {
  private readonly candidates = new Map<number, CandidateReader>();
  private readonly counts: Fields = {};
  private feedback: Fields | undefined;
  private hasModel = false;

  constructor(
    private readonly expected: number,
    private readonly makeError: DriverContext['error'],
    private readonly ids: CallIds,
  ) {}

  /** Every candidate has said how it ended, or there will be none. */
  get isFinished(): boolean {
    if (this.isBlocked) return true;
    if (this.candidates.size < this.expected) return false;
    for (const candidate of this.candidates.values()) if (candidate.endWord === undefined) return false;
    return true;
  }

  /** How long a stream may stay silent from here before it counts as ended; undefined where its end has to be seen. */
  get patienceMs(): number | undefined {
    if (!this.isFinished) return undefined;
    const words = [...this.candidates.values()].map(({ goesOn }) => goesOn);
    if (words.includes('yes')) return undefined;
    return words.includes('maybe') ? LONG_LINGER_MS : LINGER_MS;
  }

  get hasCandidates(): boolean {
    return this.candidates.size > 0;
  }

  /** Appends the events of a piece. Throws the error that the vendor reports in it. */
  read(piece: Fields, events: ChatEvent[]): void {
    const error = piece.error === undefined ? undefined : toPieceError(piece, this.makeError);
    if (error) throw error;
    if (!this.hasModel) this.readModel(piece.modelVersion, events);
    if (Array.isArray(piece.candidates)) {
      for (const candidate of piece.candidates) {
        if (isFields(candidate)) this.candidateOf(candidate.index).read(candidate, events);
      }
    }
    if (isFields(piece.promptFeedback)) this.feedback = piece.promptFeedback;
    if (isFields(piece.usageMetadata)) addCounts(this.counts, piece.usageMetadata);
  }

  /** Appends what comes last: facts, usage, and one finish per candidate. */
  conclude(events: ChatEvent[]): void {
    if (!this.isFinished) throw this.unfinished();
    if (this.feedback) events.push({ type: 'extra', response: { promptFeedback: this.feedback } });
    for (const candidate of this.candidates.values()) candidate.complete(events);
    const usage = readUsage(this.counts);
    if (usage) events.push(usage);
    if (!this.hasCandidates) {
      for (let choice = 0; choice < this.expected; choice += 1) {
        events.push({ type: 'finish', reason: 'content_filter', ...(choice > 0 && { choice }) });
      }
    }
    for (const candidate of this.candidates.values()) events.push(this.finishOf(candidate));
  }

  /** A prompt that the vendor blocks has no candidates. */
  private get isBlocked(): boolean {
    return !this.hasCandidates && textOf(this.feedback?.blockReason) !== undefined;
  }

  private unfinished(): Error {
    if (this.hasCandidates && this.candidates.size < this.expected) {
      const message = `the model answered with ${this.candidates.size} of ${this.expected} choices`;
      return this.makeError('upstream', message, { hint: 'not every model takes n above 1' });
    }
    return this.makeError(
      'protocol',
      this.hasCandidates
        ? 'the answer ended in the middle, without a finishReason'
        : 'the answer ended before it began, without candidates',
      { kind: 'truncated' },
    );
  }

  private finishOf(candidate: CandidateReader): ChatEvent {
    const { index, endWord, endMessage } = candidate;
    const reason = candidate.finishReason();
    if (reason !== undefined) return { type: 'finish', reason, ...(index > 0 && { choice: index }) };
    const message = endMessage === undefined ? '' : `: ${endMessage.slice(0, MESSAGE_LIMIT)}`;
    throw this.makeError('upstream', `the model gave the answer up (finishReason "${endWord}")${message}`);
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
