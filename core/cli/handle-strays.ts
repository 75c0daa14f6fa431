import { refuseExit } from '../plugins/refuse-exit';
import { pinStray, type StrayFailure } from '../plugins/stray-failures';

/** What a program does about rejections and exceptions that no code has handled. */
interface StrayHandlers {
  /** Takes keys out of a text. */
  redact?: (text: string) => string;
  /** The failure stays with its plug-in, and the program keeps running. */
  tell: (failure: StrayFailure) => void;
  /** A rejection that no plug-in is known to have caused. */
  rejected: (reason: unknown) => void;
  /** An exception that may have left our state broken. Its plug-in may be known. */
  broken: (error: unknown, failure: StrayFailure | undefined) => void;
}

/** Takes the place of earlier handlers. */
export function handleStrays({ redact, tell, rejected, broken }: StrayHandlers): void {
  refuseExit();
  process.removeAllListeners('unhandledRejection').removeAllListeners('uncaughtException');
  process.on('unhandledRejection', (reason) => {
    const failure = pinStray(reason, redact);
    if (failure) tell(failure);
    else rejected(reason);
  });
  process.on('uncaughtException', (error: unknown) => {
    const failure = pinStray(error, redact);
    if (failure && !failure.reachedUs) tell(failure);
    else broken(error, failure);
  });
}
