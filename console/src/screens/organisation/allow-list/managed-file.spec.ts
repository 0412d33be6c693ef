import { beginningOf, managedFile } from './managed-file';

const settings = (count: number) => ({
  allowedMcpServers: Array.from({ length: count }, (_, index) => ({ serverUrl: `https://${index}.example/mcp` })),
});

describe('The file of clients with managed settings', () => {
  it('is what the server says', () => {
    expect(JSON.parse(managedFile(settings(2), 'copilot', true))).toEqual(settings(2));
    expect(JSON.parse(managedFile(settings(2), 'claude', false))).toEqual(settings(2));
  });

  it('keeps people from adding servers, where the client can', () => {
    const file = JSON.parse(managedFile(settings(1), 'claude', true)) as object;
    expect(file).toEqual({ ...settings(1), allowManagedMcpServersOnly: true });
  });

  it('is shown as a whole if it is short, otherwise its beginning', () => {
    const short = managedFile(settings(40), 'copilot', false);
    expect(beginningOf(short)).toEqual({ text: short, leftOut: 0 });
    const { text, leftOut } = beginningOf(managedFile(settings(1_000), 'copilot', false));
    expect(leftOut).toBe(960);
    expect(JSON.parse(text)).toEqual(settings(40));
  });
});
