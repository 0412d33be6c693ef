import { useSearch } from '@tanstack/react-router';
import { PlatformFrame } from '../platform-frame';
import { platformWords } from '../words';
import { DocumentPart } from './document-part';
import { ImportsPart } from './imports-part';
import { StartImport } from './start-import';

/** Imports as they run, and what they could not use. */
export function ImportsScreen() {
  const { document } = useSearch({ from: '/platform/imports' });
  return (
    <PlatformFrame title={platformWords.screens.imports} actions={document === undefined && <StartImport />}>
      {document === undefined ? <ImportsPart /> : <DocumentPart key={document} id={document} />}
    </PlatformFrame>
  );
}
