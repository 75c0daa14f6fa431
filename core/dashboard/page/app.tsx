import { useEffect, useRef } from 'preact/hooks';
import { Header } from './parts/header';
import { Lost } from './parts/lost';
import { type Route, useRoute, VIEWS } from './router';
import { useStore } from './use-store';
import { Overview } from './views/overview';
import { ProblemPage } from './views/problem-page';
import { ProcessPage } from './views/process-page';
import { Processes } from './views/processes';
import { Requests } from './views/requests';
import { TryPage } from './views/try-page';
import { UsagePage } from './views/usage-page';

export function App() {
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const title = route.view === 'unknown' ? 'Not found' : VIEWS[route.view];
  const place = route.pid === undefined ? title : `#${route.pid}`;
  const shown = useRef(place);
  useEffect(() => {
    document.title = `${place} · Drivebay`;
    if (shown.current === place) return;
    shown.current = place;
    // Keyboards and screen readers continue at the start of the new view.
    main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [place]);
  return (
    <>
      <a class="skip sr" href={location.hash} onClick={() => main.current?.focus()}>
        Skip to the content
      </a>
      <Header route={route} />
      <main ref={main} tabIndex={-1} class={route.view}>
        <Lost />
        <View route={route} />
      </main>
    </>
  );
}

function View({ route }: { route: Route }) {
  const { state, problem, link } = useStore();
  if (problem && (link === 'refused' || !state)) return <ProblemPage {...problem} />;
  if (!state) return <p class="loading">Loading ...</p>;
  switch (route.view) {
    case 'overview':
      return <Overview state={state} />;
    case 'processes':
      if (route.pid !== undefined) return <ProcessPage pid={route.pid} key={route.pid} />;
      return <Processes state={state} />;
    case 'requests':
      return <Requests state={state} />;
    case 'usage':
      return <UsagePage />;
    case 'try':
      return <TryPage state={state} />;
    case 'unknown':
      return <ProblemPage message="There is no such page." />;
  }
}
