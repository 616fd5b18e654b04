// Fills a report on encodings from the JSON in #data.
(() => {
  'use strict';

  const speed = or(v => grouped(v, v < 9.995 ? 2 : v < 99.95 ? 1 : 0));
  const share = or(v => (v < 0.995 ? grouped(v, 3) : grouped(v, digits(v))) + '×');

  // ---- rows, the smallest first -------------------------------------------------------------

  const PLAIN = ['raw', 'ppm', 'bmp', 'wav', 'none', 'store']; // families that do not compress
  const COLOURS = 10; // more families share the last one
  const families = [...new Set(data.rows.map(row => row.family))];
  const colour = family => `family-${Math.min(COLOURS,
    families.indexOf(family) + (families.includes('original') ? 0 : 1))}`;
  const rows = data.rows.map((row, place) => ({
    ...row, place, bytes: known(row.bytes), ratio: known(row.ratio), encode: known(row.encode), decode: known(row.decode),
  }));
  rows.sort((a, b) => (a.ratio ?? Infinity) - (b.ratio ?? Infinity) || a.place - b.place);
  rows.forEach((row, i) => { row.number = i + 1; });
  const lossy = rows.some(row => !row.lossless);

  /** Quality for people: likenesses round down, so that only equal pictures show as 1. */
  function qualityOf(head, value) {
    if (value == null) return NONE;
    if (head.includes('dB')) return grouped(value, 1);
    return head.includes('SSIM') ? grouped(Math.floor(value * 10000 + 1e-6) / 10000, 4) : value.toPrecision(2);
  }

  // ---- text ---------------------------------------------------------------------------------

  function fillHead() {
    document.title = data.title;
    $('title').textContent = data.title;
    $('dataset').textContent = data.subtitle;
  }

  function card(name, row, value, unit) {
    if (!row) return;
    const shown = make('dd', {class: 'value'}, value);
    if (unit) shown.append(make('span', {class: 'unit'}, ' ' + unit));
    $('cards').append(make('div', {}, make('dt', {}, name), shown, make('dd', {}, row.name)));
  }

  function fillCards() {
    const made = rows.filter(row => row.family !== 'original' && row.ratio && row.decode);
    const exact = made.filter(row => row.lossless && !PLAIN.includes(row.family));
    const least = (all, by) => all.reduce((best, row) => (!best || by(row) < by(best) ? row : best), null);
    const smallest = least(exact, row => row.ratio);
    const fastest = least(exact, row => -row.decode);
    const writer = least(exact.filter(row => row.encode), row => -row.encode);
    const tiny = lossy ? least(made, row => row.ratio) : null;
    card('Smallest lossless', smallest, share(smallest?.ratio));
    card('Fastest lossless decode', fastest, speed(fastest?.decode), 'MB/s');
    card('Fastest lossless encode', writer, speed(writer?.encode), 'MB/s');
    card('Smallest of all', tiny, share(tiny?.ratio));
    $('cards').hidden = made.length === 0;
  }

  // ---- table --------------------------------------------------------------------------------

  const number = (title, unit, value, show) =>
    ({title, unit, value, show: row => show(value(row)), number: true});
  const COLUMNS = [
    number('#', '', row => row.number, String),
    {title: 'Encoding', value: row => row.name, name: true},
    number('Ratio', 'of bytes', row => row.ratio, share),
    number('Size', `per ${data.unit}`, row => row.bytes, bytes),
    number('Encode', 'MB/s', row => row.encode, speed),
    number('Decode', 'MB/s', row => row.decode, speed),
    ...data.qualities.map((head, i) => {
      const [title, unit] = head.split(', ');
      const worst = head.includes('error');
      return {
        title, unit: unit ?? '', number: true,
        value: row => (row.lossless ? (worst ? 0 : Infinity) : row.quality[i]),
        show: row => (row.lossless ? (i === 0 ? 'lossless' : '') : qualityOf(head, row.quality[i])),
      };
    }),
  ];

  function cell(column, row) {
    if (column.number) return make('td', {class: 'number'}, column.show(row));
    const name = make('th', {scope: 'row'}, row.name);
    if (row.pareto) name.append(make('span', {class: 'mark'}, 'on the front'));
    return name;
  }

  // ---- plot ---------------------------------------------------------------------------------

  vega.expressionFunction('humanShare', v => Number(v.toPrecision(2)) + '×');
  vega.expressionFunction('humanSpeed', v => (v < 10 ? String(Number(v.toPrecision(2))) : grouped(v, 0)));

  /** Round numbers between two values, few enough for the axis. */
  function ticks(low, high, most) {
    for (const steps of [[1, 1.5, 2, 3, 4, 5, 7], [1, 2, 5], [1, 3], [1]]) {
      const found = [];
      for (let ten = Math.floor(Math.log10(low)); ten <= Math.log10(high); ten++) {
        for (const step of steps) {
          const tick = step * 10 ** ten;
          if (tick >= low && tick <= high) found.push(Number(tick.toPrecision(6)));
        }
      }
      if (found.length <= most || steps.length === 1) return found;
    }
    return [];
  }

  /** Those that none is at least as small and as fast as, the smallest first. */
  function front(all) {
    const left = [];
    for (const row of [...all].sort((a, b) => a.ratio - b.ratio || b.decode - a.decode)) {
      if (!left.length || row.decode > left.at(-1).decode) left.push(row);
    }
    return left;
  }

  function tipOf(row) {
    return [
      `${row.number}  ${row.name}` + (row.pareto ? ' (on the front)' : ''),
      `${share(row.ratio)} the bytes, ${bytes(row.bytes)} per ${data.unit}`,
      `decodes ${speed(row.decode)} MB/s` + (row.encode ? `, encodes ${speed(row.encode)} MB/s` : ''),
      row.lossless ? 'lossless' : data.qualities.map((head, i) => {
        const [title, unit] = head.split(', ');
        return `${title} ${qualityOf(head, row.quality[i])}` + (unit ? ` ${unit}` : '');
      }).join(', '),
    ].join('\n');
  }

  const crowded = () => rows.length > 24;

  function drawTrade(narrow) {
    const shown = rows.filter(row => row.ratio && row.decode);
    $('trade').hidden = shown.length === 0;
    if (shown.length === 0) return;

    const numbered = narrow || crowded();
    const page = style('page');
    const points = shown.map(row => ({
      ratio: row.ratio, decode: row.decode, tip: tipOf(row), shape: row.lossless ? 'square' : 'circle',
      fill: row.pareto ? style(colour(row.family)) : page, rim: style(colour(row.family)),
      size: row.family === 'original' ? 260 : 130, text: numbered ? String(row.number) : row.name,
      textInk: style(row.pareto ? 'ink' : 'soft'), rank: row.pareto ? 0 : 1,
    }));
    points.sort((a, b) => b.rank - a.rank); // no other hides one on the front
    const fronts = [
      ...front(shown.filter(row => row.lossless)).map(row => ({ratio: row.ratio, decode: row.decode, line: 'lossless'})),
      ...(lossy ? front(shown).map(row => ({ratio: row.ratio, decode: row.decode, line: 'any'})) : []),
    ];

    const extent = (values, below, above) => [Math.min(...values) / below, Math.max(...values) * above];
    const across = extent(shown.map(row => row.ratio), 1.25, narrow ? 1.35 : 1.6);
    const up = extent(shown.map(row => row.decode), 1.35, 1.35);
    const x = {
      field: 'ratio', type: 'quantitative', scale: {type: 'log', domain: across, nice: false},
      axis: {
        title: `bytes as a share of ${data.base}`, values: ticks(...across, narrow ? 5 : 12),
        labelExpr: 'humanShare(datum.value)', grid: false, labelFlush: true,
      },
    };
    const y = {
      field: 'decode', type: 'quantitative', scale: {type: 'log', domain: up, nice: false},
      axis: {
        title: 'decode, MB/s of one core', titleAngle: 0, titleAlign: 'left', titleAnchor: 'end', titleBaseline: 'bottom',
        titleX: 0, titleY: -12, values: ticks(...up, 10), labelExpr: 'humanSpeed(datum.value)', domain: false,
        ticks: false, grid: true,
      },
    };
    const layer = [
      {
        name: 'fronts', data: {values: fronts}, mark: {type: 'line', strokeWidth: 1.5, color: style('barred')},
        encoding: {
          x, y, detail: {field: 'line', type: 'nominal'}, order: {field: 'ratio', type: 'quantitative'},
          strokeDash: {condition: {test: "datum.line === 'any'", value: [5, 4]}, value: [1, 0]},
        },
      },
      {
        name: 'points', data: {values: points}, mark: {type: 'point', opacity: 1, strokeWidth: 1.8},
        encoding: {
          x, y, shape: {field: 'shape', scale: null}, size: {field: 'size', type: 'quantitative', scale: null},
          fill: {field: 'fill', scale: null}, stroke: {field: 'rim', scale: null},
          tooltip: {field: 'tip', type: 'nominal'},
        },
      },
    ];
    // Vega-Lite cannot place labels; Vega can, and leaves out those that find no room.
    const labels = {
      type: 'text', name: 'labels', interactive: false, from: {data: 'points_marks'},
      encode: {enter: {
        text: {field: 'datum.text'}, fill: {field: 'datum.textInk'}, fontSize: {value: 13},
        font: {value: style('sans')}, limit: {value: 200},
      }},
      transform: [{
        type: 'label', size: {signal: '[width, height]'}, offset: [5],
        anchor: ['right', 'left', 'top', 'bottom', 'top-right', 'bottom-right', 'top-left', 'bottom-left'],
        sort: {field: 'datum.datum.rank'},
      }],
    };

    $('trade-caption').textContent = 'Up and to the left is better; both axes are logarithmic. '
      + 'Filled points are on the front of size, decode speed and quality.'
      + (numbered ? ' Points carry the numbers that the table has in its first column.' : '');
    const drawn = families.filter(family => shown.some(row => row.family === family));
    key('trade-key', [
      ...drawn.map(family => [swatch(colour(family)), family]),
      lossy && ['<rect x="-5" y="-5" width="10" height="10" fill="none" stroke="var(--soft)" stroke-width="1.6"/>', 'lossless'],
      lossy && ['<circle r="5.5" fill="none" stroke="var(--soft)" stroke-width="1.6"/>', 'lossy'],
      ['<path d="M-8 0H8" stroke="var(--barred)" stroke-width="1.8"/>', lossy ? 'front of the lossless' : 'front'],
      lossy && ['<path d="M-8 0H8" stroke="var(--barred)" stroke-width="1.8" stroke-dasharray="4 3"/>', 'front at any quality'],
    ].filter(Boolean));
    $('trade-plot').setAttribute('aria-label', 'Scatter plot of size against decode speed. '
      + shown.map(row => `${row.name}: ${share(row.ratio)}, ${speed(row.decode)} MB/s`).join('; '));
    draw('trade-plot', {height: narrow ? 380 : 520, layer}, [labels]);
  }

  let drawnAt = 0;
  function drawAll() {
    drawnAt = document.querySelector('main').clientWidth;
    drawTrade(drawnAt < 640);
  }

  fillHead();
  fillCards();
  fillTable(COLUMNS, rows, row => (row.pareto ? 'within' : 'barred'), cell);
  fillList('notes', data.notes.map((note, i) => [String(i + 1), note]));
  fillMachine();
  $('trade').hidden = false; // before it is drawn, since a hidden element has no width
  drawAll();
  redrawWhenResized(() => drawnAt, drawAll);
})();
