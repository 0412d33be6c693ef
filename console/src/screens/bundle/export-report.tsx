import type { BundleExport } from '../../api/schema';
import { Badge } from '../../ui/badge';
import { Lines, Quiet, Row, Section } from '../../ui/layout';
import { OtherText, shown } from '../../ui/other-text';
import { bundleWords } from './words';

const words = bundleWords.export;

/** What an exported file needs, what is not in it, and what to know about it. */
export const ExportReport = ({ report }: { report: BundleExport }) => (
  <>
    {report.inputs.length > 0 && (
      <Section title={words.asks}>
        <Lines label={words.asks}>
          {report.inputs.map((input) => (
            <li key={`${input.server} ${input.name}`}>
              <Row>
                <code>{shown(input.name)}</code>
                <Badge icon={input.is_secret ? 'lock' : 'info'}>{input.is_secret ? words.secret : words.value}</Badge>
                {!input.is_required && <Quiet>{words.optional}</Quiet>}
                <Quiet>
                  <OtherText>{input.server}</OtherText>
                </Quiet>
              </Row>
              {input.description !== null && (
                <Quiet>
                  <OtherText>{input.description}</OtherText>
                </Quiet>
              )}
            </li>
          ))}
        </Lines>
      </Section>
    )}
    {report.skipped.length > 0 && (
      <Section title={words.skipped}>
        <Lines label={words.skipped}>
          {report.skipped.map(({ entry_id, listing_name, key, detail }) => (
            <li key={entry_id}>
              <strong>
                <OtherText>{listing_name ?? key ?? bundleWords.unseen}</OtherText>
              </strong>
              <p>
                <OtherText>{detail}</OtherText>
              </p>
            </li>
          ))}
        </Lines>
      </Section>
    )}
    {report.warnings.length > 0 && (
      <Section title={words.warnings}>
        <Lines label={words.warnings}>
          {report.warnings.map(({ entry_id, key, detail }, index) => (
            <li key={`${entry_id} ${index}`}>
              <strong>
                <OtherText>{key}</OtherText>
              </strong>
              <p>
                <OtherText>{detail}</OtherText>
              </p>
            </li>
          ))}
        </Lines>
      </Section>
    )}
    {report.notes.length > 0 && (
      <Section title={words.notes}>
        <Lines label={words.notes}>
          {report.notes.map((note) => (
            <li key={note}>
              <OtherText>{note}</OtherText>
            </li>
          ))}
        </Lines>
      </Section>
    )}
  </>
);
