# matplotlib_inline.backend_inline: how a notebook shows plots; here they are text.


def set_matplotlib_formats(*formats, **options):
    pass
