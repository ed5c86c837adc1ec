import re, textwrap, datetime, time
from datetime import timedelta
from fractions import Fraction
m = re.match(r'(?P<first>\w+) (\w+)', 'Isaac Newton, physicist')
print(m.group(), m.group(1), m.group(1, 2), m['first'], m.groups(), m.groupdict(), m.span(2), m.start(), m)
print(re.findall(r'\d+', 'a1b22c333'), re.findall(r'(\w)(\d)', 'a1 b2'), re.sub(r'\s+', ' ', 'a   b \n c'))
print(re.split(r'[,;]\s*', 'a, b;c'), re.split(r'(-)', 'a-b-c', maxsplit=1), re.sub('x*', '-', 'abxd'))
print(re.sub(r'(\w+) (\w+)', r'\2 \g<1>', 'hello world'), re.sub('a', lambda m: m.group().upper(), 'banana', count=2), re.subn('a', 'o', 'banana'))
print(re.search('n$', 'ab\nn\n'), re.findall('^.', 'ab\ncd', re.M), re.findall('a.b', 'a\nb', re.DOTALL), re.fullmatch('[a-z]+', 'abc1'))
print(re.compile(r'\bfoo\b', re.I), re.compile('[^A-Za-z]+').sub(' ', 'The Time-Machine, by H. G. Wells').strip().lower())
for bad in ['(', ')', '[a', '*a', 'a**', r'\y', 'a(?P<n', '(?P<n>a)(?P=m)']:
    try:
        print(bad, re.compile(bad))
    except re.error as e:
        print(bad, '|', e)
print(re.findall(r'a*?', 'aa'), re.findall(r'(?<=-)\w+', 'spam-egg'), re.findall(r'(\w)\1', 'aabbcd'), re.escape('a.b*c'), [m.span() for m in re.finditer('é', 'aéé')])
print(re.findall(r"[\w']+|[.,!?;]", "Don't stop, now!"), re.findall(r'[[\]&-]', 'a[b]&-'), re.findall(r'x{,2}y', 'xxxy'), re.findall(r'{a}', 'x{a}'))
print(textwrap.dedent('  a\n    b\n  c'), textwrap.fill('the quick brown fox jumps over the lazy dog', 20), textwrap.indent('a\nb', '> '), textwrap.shorten('Hello big world', 12), sep='|')
d = datetime.datetime(2024, 2, 29, 13, 5, 9, 120)
print(d, repr(d), d.strftime('%Y-%m-%d %H:%M:%S %A %B %j %I %p %y %a %b'), d + timedelta(days=1, hours=12), d.date(), d.isoformat(), d.weekday())
print(datetime.date(2024, 3, 1) - datetime.date(2023, 3, 1), timedelta(seconds=3661.5), repr(timedelta(1, 2)), timedelta(minutes=3).total_seconds(), datetime.date(2020, 1, 31).replace(year=2021))
print(datetime.datetime.strptime('2020-05-17 08:09', '%Y-%m-%d %H:%M'), d > datetime.datetime(2023, 1, 1), f'{d:%H:%M}', datetime.datetime.fromisoformat('2020-01-02T03:04:05'))
print(time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime(1700000000)), time.gmtime(0), time.asctime(time.gmtime(86400)))
try:
    datetime.date(2023, 2, 29)
except ValueError as e:
    print(e)
a = Fraction(1, 3)
print(a, repr(a), a + Fraction(1, 6), a * 3, 1 - a, a / 2, a ** 2, float(a), a < 0.5, Fraction('0.125'), Fraction(0.5), Fraction('3/-6') if False else Fraction(3, -6), round(Fraction(7, 2)), sum([Fraction(1, k) for k in range(1, 5)]), Fraction(3.14159).limit_denominator(100), a == Fraction(2, 6), hash(Fraction(2)) == hash(2))
