/** The built-in page for visitors. It uses the placeholders that are available to the pages in PAGES_DIR. */

/** The icon of the dashboard, in the accent color. */
export const builtInLogo =
  '<svg class="logo" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/>' +
  '<path d="M14 18.5a4.5 4.5 0 0 0 6.4 0l3-3a4.5 4.5 0 0 0-6.4-6.4l-1 1M18 13.5a4.5 4.5 0 0 0-6.4 0l-3 3a4.5 4.5 0 0 0 6.4 6.4l1-1"/></svg>'

const style = `
:root{color-scheme:light dark;--bg:#fafaf8;--text:#1b1c1e;--muted:#5d6066;--accent:{{accent_light}};--on-accent:#fff}
@media (prefers-color-scheme:dark){:root{--bg:#101113;--text:#e9e9e7;--muted:#a3a7ad;--accent:{{accent_dark}};--on-accent:#10131f}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;grid-template-rows:1fr auto;padding:24px;font:16px/1.6 -apple-system,BlinkMacSystemFont,'Segoe UI Variable Text','Segoe UI',Roboto,Ubuntu,Cantarell,'Noto Sans',system-ui,'Helvetica Neue',Arial,sans-serif;color:var(--text);background:var(--bg);-webkit-text-size-adjust:100%}
main{align-self:center;justify-self:center;width:100%;max-width:30rem;padding-bottom:8vh}
.status{margin:0 0 12px;font-size:14px;font-weight:600;letter-spacing:.04em;color:var(--accent)}
h1{margin:0 0 8px;font-size:clamp(24px,5vw,30px);line-height:1.2;font-weight:600;letter-spacing:-.02em;text-wrap:balance}
p{margin:0;color:var(--muted);text-wrap:pretty}
footer{display:flex;align-items:center;justify-content:center;gap:8px;font-size:14px;color:var(--muted)}
.logo{flex:none;height:20px;width:auto;max-width:120px;display:block}
.logo rect{fill:var(--accent)}
.logo path{fill:none;stroke:var(--on-accent);stroke-width:2.6;stroke-linecap:round}
`

export const builtInTemplate = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{{title}}</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="status">{{status}}</p>
<h1>{{title}}</h1>
<p>{{message}}</p>
</main>
<footer>{{logo}}<span>{{instance_name}}</span></footer>
</body>
</html>
`
