import { createContext } from 'preact';
import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import type { Store } from './store';

const StoreContext = createContext<Store | undefined>(undefined);

export const StoreProvider = StoreContext.Provider;

/** The store of the page. Renders the component again after each update. */
export function useStore(): Store {
  const store = useContext(StoreContext);
  if (!store) throw new Error('no store');
  const [, look] = useState(store.version);
  useLayoutEffect(() => {
    const follow = () => look(store.version);
    // The store may have changed since the first render.
    follow();
    return store.watch(follow);
  }, [store]);
  return store;
}
