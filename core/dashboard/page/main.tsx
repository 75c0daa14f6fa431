import { render } from 'preact';
import { App } from './app';
import { Connection } from './connection';
import { Store } from './store';
import { StoreProvider } from './use-store';

const store = new Store();
void new Connection(store).connect();

const root = document.getElementById('app')!;
root.replaceChildren();
render(
  <StoreProvider value={store}>
    <App />
  </StoreProvider>,
  root,
);
