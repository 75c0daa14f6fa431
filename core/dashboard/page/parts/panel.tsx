import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export interface PanelProps {
  title: string;
  /** Beside the title: how many, or a link to all. */
  aside?: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}

/** A part of a view with a title of its own. */
export function Panel({ title, aside, class: name = '', children }: PanelProps) {
  const id = useId();
  return (
    <section class={`panel ${name}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <span class="aside">{aside}</span>}
      </header>
      {children}
    </section>
  );
}
