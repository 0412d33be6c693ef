import { Link } from '@tanstack/react-router';
import type { Light } from './lights';
import { words } from './words';

/** What to do about a light that is not in order, with the way there where it is on another screen. */
export function TodoText({ light: { kind, todo } }: { light: Light }) {
  if (todo === undefined) return null;
  return (
    <>
      {words.todo[todo]} {kind === 'imports' && <Link to="/platform/imports">{words.toImports}</Link>}
    </>
  );
}
