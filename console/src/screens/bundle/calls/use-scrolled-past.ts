import { useCallback, useState } from 'react';

/** @returns where the mark is put, and whether it is above the window, so that a person reads what is below it */
export function useScrolledPast() {
  const [isPast, setPast] = useState(false);
  const mark = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry) setPast(!entry.isIntersecting && entry.boundingClientRect.top < 0);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [mark, isPast] as const;
}
