import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Command } from './command';

interface PanelProps {
  title: string;
  /** Beside the title: a count, or a link to all. */
  aside?: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}

export function Panel({ title, aside, class: name = '', children }: PanelProps) {
  const id = useId();
  return (
    <section class={`panel ${name}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <span class="muted">{aside}</span>}
      </header>
      {children}
    </section>
  );
}

export function Empty({ children, command }: { children: string; command?: string }) {
  return (
    <p class="empty">
      {children} {command !== undefined && <Command>{command}</Command>}
    </p>
  );
}
