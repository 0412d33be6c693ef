import { type ReactNode, useEffect, useState } from 'react';
import { ApiProblem, asProblem } from '../api/problem';
import { t } from '../messages/text';
import { Button, buttonClass } from './button';
import { classes } from './layout';
import styles from './problem.module.css';

const words = t.ui.problem;

/**
 * Where a person signs in and comes back to this screen.
 *
 * @param again whether also a person who is signed in proves who they are
 */
export function signInAddress({ again = false } = {}): string {
  const { pathname, search, hash } = window.location;
  return `/sign-in?${again ? 'again=1&' : ''}return_to=${encodeURIComponent(pathname + search + hash)}`;
}

interface ProblemProps {
  error: unknown;
  /** What tries again; left out where that is another button's. */
  onRetry?: (() => void) | undefined;
}

/** Says what went wrong, and what a person can do. */
export function Problem({ error, onRetry }: ProblemProps) {
  const problem = asProblem(error);
  const { status, message, retryAfter, requestId } = problem;
  const isMild = [401, 403, 404].includes(status);
  return (
    <div className={classes(styles.problem, isMild && styles.mild)} role="alert">
      <strong>{titleOf(problem)}</strong>
      {helpOf(problem) && <p>{helpOf(problem)}</p>}
      {message !== '' && status !== 404 && <p>{message}</p>}
      {(status === 429 || status === 503) && <Countdown seconds={retryAfter ?? 1} onRetry={onRetry} />}
      {status >= 500 && requestId !== undefined && <p>{words.requestId(requestId)}</p>}
      {status === 401 && (
        <a className={buttonClass('primary')} href={signInAddress()}>
          {words.signIn}
        </a>
      )}
      {onRetry && !isMild && status !== 429 && status !== 503 && (
        <Button icon="refresh" onClick={onRetry}>
          {t.ui.tryAgain}
        </Button>
      )}
    </div>
  );
}

function titleOf({ status }: ApiProblem): string {
  if (status === 0) return words.unreachable;
  if (status < 0) return words.defect;
  if (status >= 500 && status !== 503) return words.failed;
  const titles: Record<number, string> = {
    401: words.signedOut,
    403: words.forbidden,
    404: words.notFound,
    409: words.conflict,
    422: words.invalid,
    429: words.busy,
    503: words.busy,
  };
  return titles[status] ?? words.failed;
}

function helpOf({ status }: ApiProblem): string | undefined {
  if (status === 0) return words.unreachableHelp;
  if (status === 401) return words.signedOutHelp;
  return status === 404 ? words.notFoundHelp : undefined;
}

function Countdown({ seconds, onRetry }: { seconds: number; onRetry: (() => void) | undefined }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  if (left > 0) return <p>{words.busyHelp(left)}</p>;
  return onRetry ? <Button onClick={onRetry}>{t.ui.tryAgain}</Button> : null;
}

/** Nothing is here, and what to do next. */
export const Empty = ({ children }: { children: ReactNode }) => <div className={styles.empty}>{children}</div>;

/** Where content will be. It appears after 150 ms, so that a fast answer does not flicker. */
export const Skeleton = ({ lines = 4 }: { lines?: number }) => (
  <div className={styles.skeleton} role="status" aria-label={t.ui.loading}>
    {Array.from({ length: lines }, (_, line) => (
      <div key={line} className={styles.bar} />
    ))}
  </div>
);

interface Loading<Data> {
  data: Data | undefined;
  error: unknown;
  refetch: () => unknown;
}

interface LoadedProps<Data> {
  /** What `useRead` gave. */
  read: Loading<Data>;
  /** How many lines the content will have, about. */
  lines?: number;
  children: (data: NonNullable<Data>) => ReactNode;
}

/** Content that was read; before that its skeleton, or what went wrong. */
export function Loaded<Data>({ read, lines = 4, children }: LoadedProps<Data>) {
  if (read.data !== undefined && read.data !== null) return children(read.data);
  if (read.error) return <Problem error={read.error} onRetry={() => void read.refetch()} />;
  return <Skeleton lines={lines} />;
}
