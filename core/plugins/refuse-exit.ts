import { framesOf } from './place-in';
import { isPluginCode } from './stray-failures';

let isRefused = false;

/** The end of the program would end every other provider too: `process.exit` throws at a plug-in that calls it. */
export function refuseExit(): void {
  if (isRefused) return;
  isRefused = true;
  const exit = process.exit.bind(process);
  // An argument that is undefined would clear `process.exitCode`.
  process.exit = (...codes: [code?: number | string | null]) => {
    const error = new Error(
      `it called process.exit(${codes.join()}), which would end Drivebay; throw context.error(...)`,
    );
    const [, caller] = framesOf(error);
    if (caller && isPluginCode(caller.file)) throw error;
    return exit(...codes);
  };
}
