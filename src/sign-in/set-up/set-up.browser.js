// The token is in the fragment of the link, which browsers do not send. This moves it into the form.
(function () {
  function take() {
    const token = location.hash.slice(1);
    const field = document.getElementById('token');
    if (token === '' || !field) return;
    field.value = token;
    history.replaceState(null, '', location.pathname);
    document.getElementById('organisation').focus();
  }
  addEventListener('hashchange', take);
  take();
})();
