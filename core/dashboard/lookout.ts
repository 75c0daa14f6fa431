import type { DashboardHost } from './dashboard-host';

/** Each provider decides whether a look is due. */
const LOOK_MS = 15_000;

/** Returns a function that counts a page as open until a signal fires. Providers are looked at while a page is open. */
export function lookoutOf(host: DashboardHost): (gone: AbortSignal) => void {
  let watchers = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const projects = await host.projects();
    await Promise.all(projects.flatMap(({ providers }) => providers.map((provider) => provider.look())));
  };
  return (gone) => {
    if (gone.aborted) return;
    watchers += 1;
    if (watchers === 1) {
      timer = setInterval(() => void look(), LOOK_MS).unref();
      void look();
    }
    gone.addEventListener('abort', () => {
      watchers -= 1;
      if (watchers === 0) clearInterval(timer);
    });
  };
}
