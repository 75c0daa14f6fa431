import { createHook } from 'node:async_hooks';

interface Timer {
  hasRef?(): boolean;
  _destroyed?: boolean;
}

/** Notes the timers that are set while `counts` holds. `left` are those that would keep the process running. */
export function watchTimers(counts: () => boolean): { left: () => string[]; stop: () => void } {
  const timers: Timer[] = [];
  const hook = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === 'Timeout' && counts()) timers.push(resource);
    },
  }).enable();
  const isLeft = (timer: Timer) => timer._destroyed !== true && timer.hasRef?.() === true;
  return {
    left: () => timers.filter(isLeft).map(() => 'a timer that keeps the process running'),
    stop: () => void hook.disable(),
  };
}
