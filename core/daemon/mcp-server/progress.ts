import type { CallExtra } from './tool-result';

/** The progress of a growing answer is reported this often. */
const TELL_MS = 250;
/** Clients give up on a call that is silent for a minute. */
const SIGN_OF_LIFE_MS = 10_000;

/** Tells the client how far a call is, where the client asked for that. */
export class Progress {
  private readonly startedAt = performance.now();
  private readonly timer: NodeJS.Timeout | undefined;
  private readonly token: string | number | undefined;
  private toldAt = -Infinity;
  private told = 0;

  constructor(
    private readonly extra: CallExtra,
    private readonly describe: () => string,
  ) {
    this.token = extra._meta?.progressToken;
    if (this.token !== undefined) this.timer = setInterval(() => this.tell(), SIGN_OF_LIFE_MS).unref();
  }

  /** Something has come. */
  note(): void {
    if (this.token === undefined || performance.now() - this.toldAt < TELL_MS) return;
    this.tell();
  }

  close(): void {
    clearInterval(this.timer);
  }

  private tell(): void {
    const { token, extra } = this;
    if (token === undefined || extra.signal.aborted) return;
    this.toldAt = performance.now();
    this.timer?.refresh();
    // The protocol wants each value to be higher than the one before.
    this.told = Math.max(this.told + 0.001, Math.round(this.toldAt - this.startedAt) / 1000);
    const params = { progressToken: token, progress: this.told, message: this.describe() };
    // A client that is gone needs no progress.
    extra.sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  }
}
