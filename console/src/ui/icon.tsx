import styles from './icon.module.css';

/** Lines on a ground of 20 by 20. */
const PATHS = {
  search: 'M9 3a6 6 0 1 0 0 12A6 6 0 0 0 9 3zM13.5 13.5 17 17',
  close: 'M5 5l10 10M15 5 5 15',
  check: 'M4 10.5 8 14.5 16 6',
  copy: 'M7 7h9v9H7zM4 13V4h9',
  down: 'M5 8l5 5 5-5',
  right: 'M8 5l5 5-5 5',
  menu: 'M3 5h14M3 10h14M3 15h14',
  star: 'M10 2.5l2.3 4.9 5.2.7-3.8 3.7.9 5.3L10 14.6l-4.6 2.5.9-5.3L2.5 8.1l5.2-.7z',
  link: 'M8 12a3 3 0 0 0 4.2 0l3-3A3 3 0 0 0 11 4.8L10 5.8M12 8a3 3 0 0 0-4.2 0l-3 3A3 3 0 0 0 9 15.2l1-1',
  out: 'M8 4H4v12h12v-4M11 3h6v6M17 3l-8 8',
  person: 'M10 3a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM3 17c.8-3 3.6-4.5 7-4.5s6.2 1.5 7 4.5',
  people:
    'M7.5 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM2 16c.6-2.6 2.7-4 5.5-4s4.9 1.4 5.5 4M13 4.5a3 3 0 0 1 0 5.2M15 12.3c1.5.6 2.6 1.9 3 3.7',
  bundle: 'M3 6l7-3 7 3-7 3zM3 6v8l7 3 7-3V6M10 9v8',
  server: 'M3 4h14v5H3zM3 11h14v5H3zM6 6.5h.01M6 13.5h.01',
  home: 'M3 9l7-6 7 6v8h-5v-5H8v5H3z',
  bell: 'M5 14V9a5 5 0 0 1 10 0v5l1.5 1.5h-13zM8.5 17.5h3',
  key: 'M13 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM10 10l-7 7M5 15l2 2',
  clock: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 6v4l3 2',
  alert: 'M10 3l7.5 13.5h-15zM10 8v4M10 14.5h.01',
  info: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 9v4.5M10 6.5h.01',
  lock: 'M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 6 0V9',
  plus: 'M10 4v12M4 10h12',
  trash: 'M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6',
  download: 'M10 3v9M6 9l4 4 4-4M4 16h12',
  cards: 'M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM11 11h6v6h-6z',
  rows: 'M3 4h14M3 8h14M3 12h14M3 16h14',
  terminal: 'M3 4h14v12H3zM6 8l2.5 2L6 12M10.5 12.5H14',
  plug: 'M7 3v4M13 3v4M5 7h10v3a5 5 0 0 1-10 0zM10 15v3',
  refresh: 'M16 5v4h-4M4 15v-4h4M15.5 9A6 6 0 0 0 5 7M4.5 11A6 6 0 0 0 15 13',
  pencil: 'M4 16l.8-3.6L13 4l3 3-8.4 8.2zM11.5 5.5l3 3',
  play: 'M6 4l10 6-10 6z',
  pause: 'M6 4h3v12H6zM11 4h3v12h-3z',
  up: 'M5 12l5-5 5 5',
  drag: 'M7.5 5h.01M7.5 10h.01M7.5 15h.01M12.5 5h.01M12.5 10h.01M12.5 15h.01',
  shield: 'M10 3l6 2v5c0 3.5-2.5 6-6 7-3.5-1-6-3.5-6-7V5z',
  chart: 'M3 17h14M5 14V9M9 14V5M13 14v-4M16.5 14V7',
  sun: 'M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6 16 16M4 16l1.4-1.4M14.6 5.4 16 4',
} as const;

export type IconName = keyof typeof PATHS;

/** A sign beside a text that says the same; it is not read out. */
export const Icon = ({ name, filled }: { name: IconName; filled?: boolean }) => (
  <svg className={styles.icon} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} {...(filled && { fill: 'currentColor' })} />
  </svg>
);
