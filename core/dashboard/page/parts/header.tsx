import { type Route, VIEWS } from '../router';
import type { LinkState } from '../store';
import { useStore } from '../use-store';
import { Mark, type Tone } from './mark';

const LINKS: Record<LinkState, [Tone, string]> = {
  live: ['ok', 'live'],
  lost: ['busy', 'connecting'],
  refused: ['bad', 'signed out'],
};

export function Header({ route }: { route: Route }) {
  const { state, link } = useStore();
  const [tone, word] = LINKS[link];
  return (
    <header class="top">
      <a class="brand" href="#/">
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <rect width="16" height="16" rx="3.5" fill="#2f5bd0" />
          <path d="M3.5 4.75h9M3.5 8h9M3.5 11.25h5.5" stroke="#fff" stroke-width="1.7" stroke-linecap="round" />
        </svg>
        Drivebay
      </a>
      <nav aria-label="Views">
        {Object.entries(VIEWS).map(([view, title]) => (
          <a
            key={view}
            href={view === 'overview' ? '#/' : `#/${view}`}
            aria-current={view === route.view ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <span class="link-state">
        {state && (
          <small class="version" title={`daemon with pid ${state.daemon.pid}`}>
            {state.daemon.version}
          </small>
        )}
        <span role="status">
          <Mark tone={tone}>{word}</Mark>
        </span>
      </span>
    </header>
  );
}
