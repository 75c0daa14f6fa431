import { useEffect, useRef } from 'preact/hooks';
import { Header } from './parts/header';
import { Lost } from './parts/lost';
import { type Route, useRoute } from './router';
import { useStore } from './use-store';
import { Overview } from './views/overview';
import { Problem } from './views/problem';
import { ProcessPage } from './views/process-page';
import { Processes } from './views/processes';
import { Requests } from './views/requests';
import { Usage } from './views/usage';

const TITLES = {
  overview: 'Overview',
  processes: 'Processes',
  requests: 'Requests',
  usage: 'Usage',
  unknown: 'Not found',
};

export function App() {
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const place = route.view === 'process' ? `#${route.pid}` : TITLES[route.view];
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
      <a class="skip" href={location.hash} onClick={() => main.current?.focus()}>
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
  if (problem && (link === 'refused' || !state)) return <Problem {...problem} />;
  if (!state) return <p class="loading">Loading ...</p>;
  switch (route.view) {
    case 'overview':
      return <Overview state={state} />;
    case 'processes':
      return <Processes state={state} />;
    case 'requests':
      return <Requests state={state} />;
    case 'usage':
      return <Usage />;
    case 'process':
      return <ProcessPage pid={route.pid} key={route.pid} />;
    case 'unknown':
      return <Problem message="There is no such page." />;
  }
}
