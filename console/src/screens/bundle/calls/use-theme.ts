import { useSyncExternalStore } from 'react';

const DARK = '(prefers-color-scheme: dark)';

/** @returns which theme the page has, for what is drawn and not styled; it changes with the choice of a person or system */
export const useTheme = (): string => useSyncExternalStore(listen, themeNow);

function listen(changed: () => void): () => void {
  const system = window.matchMedia(DARK);
  const observer = new MutationObserver(changed);
  system.addEventListener('change', changed);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', changed);
    observer.disconnect();
  };
}

function themeNow(): string {
  const chosen = document.documentElement.dataset['theme'];
  return chosen ?? (window.matchMedia(DARK).matches ? 'dark' : 'light');
}
