import { ConnectFailure } from './connect-failure';
import { connectedPage, failurePage } from './connect-pages';

describe('The pages at the end of connecting an account', () => {
  const back = '/console/bundles/1?tab=accounts';
  const link = `href="${back}"`;

  it('lead back to the console, if there is one', () => {
    const failure = new ConnectFailure('denied', 'the person said no');
    expect(connectedPage('api.example.com', false, back).body.text).toContain(link);
    expect(failurePage('api.example.com', failure, '/again', back).body.text).toContain(link);
  });

  it('lead nowhere else', () => {
    expect(connectedPage('api.example.com', true, undefined).body.text).not.toContain('href');
  });
});
