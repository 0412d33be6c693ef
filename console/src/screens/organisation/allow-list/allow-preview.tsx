import { number } from '../../../messages/text';
import { shown } from '../../../ui/other-text';
import styles from './allow-list.module.css';
import type { AllowEffect, TargetBundle } from './effects';
import { words } from './words';

const text = words.allow;

interface AllowPreviewProps {
  server: string;
  /** Undefined: a new one. */
  bundle: TargetBundle | undefined;
  effect: AllowEffect;
}

/** What would be changed, before it is. */
export function AllowPreview({ server, bundle, effect }: AllowPreviewProps) {
  return (
    <section className={styles.preview} aria-label={text.preview} aria-live="polite">
      <h3>{text.preview}</h3>
      <ul>
        {linesOf(shown(server), bundle, effect).map((line) => (
          <li key={line}>
            <bdi>{line}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}

function linesOf(server: string, bundle: TargetBundle | undefined, effect: AllowEffect): string[] {
  if (effect.kind === 'nothing') return [text.there];
  const first =
    effect.kind === 'enables' ? text.enables : effect.isAllowedAlready ? text.already(server) : text.allowed(server);
  const rest = bundle
    ? [text.version(shown(bundle.name), number(bundle.version + 1)), text.followers(bundle.follower_count)]
    : [text.created];
  return [first, ...rest, text.file];
}
